// SPDX-License-Identifier: MIT
// All of a wheel for two cores, with the spin lock SPIN of the header SPIN_HEADER.
#include SPIN_HEADER
#include <tickwheel/core_wheel.hpp>
#include <tickwheel/port.hpp>

struct cores {
    using mask = tickwheel::port_lock;
    template <unsigned Number>
    using spin = tickwheel::SPIN<cores, Number>;

    static constexpr unsigned count = 2;
    static unsigned here();
    static void wait();
    static void interrupt(unsigned core);
};

template class tickwheel::core_wheel<cores, 0>;
template class tickwheel::core_wheel<cores, 1, tickwheel::geometry<6, 4>>;
