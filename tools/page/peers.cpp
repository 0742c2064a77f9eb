// SPDX-License-Identifier: MIT
// The peers of the page. Every word that this file reads or writes is counted, so it holds nothing else.
#include "peers.hpp"

#include "../../bench/peers/heaps.hpp"
#include "../../bench/peers/lists.hpp"

namespace page
{
namespace
{

template <class System, system Which>
struct timers_of {
    using timer_type = typename System::timer_type;

    static inline System clock;
    static inline timer_type timers[timer_count];

    static void fired(timer_type *timer)
    {
        const jiffies_t delay = fires_in(Which, static_cast<unsigned>(timer - timers));
        if (delay != 0) {
            clock.arm(timer, clock.now() + delay);
        }
    }

    static void start(jiffies_t at)
    {
        clock.init(at);
        for (timer_type &each : timers) {
            clock.setup(&each, fired);
        }
    }
};

using list = timers_of<peers::ordered_list, ordered_list>;
using heap = timers_of<peers::binary_heap, binary_heap>;

} // namespace

void start_peers(jiffies_t at)
{
    list::start(at);
    heap::start(at);
}

void arm_in_peer(system which, unsigned index, jiffies_t expires)
{
    if (which == ordered_list) {
        list::clock.arm(&list::timers[index], expires);
    } else {
        heap::clock.arm(&heap::timers[index], expires);
    }
}

void cancel_in_peer(system which, unsigned index)
{
    if (which == ordered_list) {
        list::clock.cancel(&list::timers[index]);
    } else {
        heap::clock.cancel(&heap::timers[index]);
    }
}

void advance_peer(system which, jiffies_t ticks)
{
    if (which == ordered_list) {
        list::clock.advance(ticks);
    } else {
        heap::clock.advance(ticks);
    }
}

bool pending_in_peer(system which, unsigned index)
{
    return which == ordered_list ? list::clock.pending(&list::timers[index])
                                 : heap::clock.pending(&heap::timers[index]);
}

} // namespace page
