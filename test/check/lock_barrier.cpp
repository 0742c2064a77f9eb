// SPDX-License-Identifier: MIT
// Compiles at -O1 and above only if the lock of the port is a compiler barrier at both ends. A compiler that may
// carry a value across irq_save() or irq_restore() knows it to be a constant there; the call that it then keeps is an
// error.
#include <tickwheel/port.hpp>

[[gnu::error("the call of the lock above is no barrier")]] void passed();

uint32_t word;

uint32_t save()
{
    word = 1;
    const uint32_t state = tickwheel::port_lock::irq_save();
    if (__builtin_constant_p(word)) {
        passed();
    }
    return state;
}

void mask()
{
    word = 4;
    tickwheel::port_lock::irq_mask();
    if (__builtin_constant_p(word)) {
        passed();
    }
}

// The state of a caller that has masked interrupts, a constant: a lock that calls somebody after the last restore, as
// the host's does, calls nobody here.
void restore()
{
    word = 2;
    tickwheel::port_lock::irq_restore(1);
    if (__builtin_constant_p(word)) {
        passed();
    }
}

void window()
{
    word = 3;
    tickwheel::port_lock::preemption_point(1);
    if (__builtin_constant_p(word)) {
        passed();
    }
}
