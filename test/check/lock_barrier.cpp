// SPDX-License-Identifier: MIT
// Compiles at -O1 and above only if the lock of the port is a compiler barrier at both ends. A compiler that may
// carry a value across a call of the lock knows it to be a constant there; the call that it then keeps is an error.
#include <tickwheel/port.hpp>

[[gnu::error("this call of the lock is no barrier")]] void passed();

uint32_t word;

template <class Call>
[[gnu::always_inline]] inline void carry_across(Call call)
{
    word = 1;
    call();
    if (__builtin_constant_p(word)) {
        passed();
    }
}

uint32_t state;

void save()
{
    carry_across([] { state = tickwheel::port_lock::irq_save(); });
}

void mask()
{
    carry_across([] { tickwheel::port_lock::irq_mask_all(); });
}

// The state of a caller that has masked interrupts, a constant: a lock that calls a function after the last restore,
// as the host's does, calls none here.
void restore()
{
    carry_across([] { tickwheel::port_lock::irq_restore(1); });
}

void window()
{
    carry_across([] { tickwheel::port_lock::interrupt_window(1); });
}
