// SPDX-License-Identifier: MIT
// The red-black tree of Boost.Intrusive, by which red_black_tree.hpp can be judged.
#ifndef TICKWHEEL_BENCH_BOOST_MULTISET_HPP
#define TICKWHEEL_BENCH_BOOST_MULTISET_HPP

#include <boost/intrusive/set.hpp>

#include "baseline.hpp"

namespace baselines
{

struct boost_timer : boost::intrusive::set_base_hook<> {
    jiffies_t expires;
    void (*function)(boost_timer *);
};

class boost_multiset : public baseline<boost_multiset, boost_timer> {
    friend baseline;

public:
    static constexpr const char *name = "Boost.Intrusive tree";
    static constexpr bool skips = true;

    void init(jiffies_t start)
    {
        now_ = start;
        timers.clear();
    }

    static bool pending(const timer_type *timer)
    {
        return timer->is_linked();
    }

    void tick()
    {
        advance(1);
    }

    void advance(jiffies_t ticks)
    {
        locked lock;
        const jiffies_t now = now_ + ticks;
        now_ = now;
        while (!timers.empty() && !tickwheel_time_after(timers.begin()->expires, now)) {
            timer_type *const due = &*timers.begin();
            remove(due);
            lock.call(due);
        }
    }

private:
    struct earlier {
        bool operator()(const timer_type &a, const timer_type &b) const
        {
            return tickwheel_time_before(a.expires, b.expires);
        }
    };

    void insert(timer_type *timer)
    {
        timers.insert(*timer);
    }
    void remove(timer_type *timer)
    {
        timers.erase(timers.iterator_to(*timer));
    }

    boost::intrusive::multiset<timer_type, boost::intrusive::compare<earlier>,
                               boost::intrusive::constant_time_size<false>>
        timers;
};

} // namespace baselines

#endif
