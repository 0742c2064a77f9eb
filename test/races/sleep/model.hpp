// SPDX-License-Identifier: MIT
// A Cortex-M as far as tickless.hpp can see it: SysTick, count for count, PRIMASK,
// three exceptions of three priorities, WFI. Each access takes some cycles of a
// range, so that a wrap or an interrupt can come between any two statements of
// the driver; `cycle`, 64 bits, is the time that nothing on the core can see.
#pragma once

#include <stdint.h>

#include <tickwheel/tickless.hpp>

#include "../../support/random.hpp"

namespace model
{

/// Counts from `value` down to 0, takes `reload` one count later. A written value counts at once.
struct counter {
    uint32_t reload = 0;
    uint32_t value = 0;
    bool enabled = false;
    /// COUNTFLAG, and the latch of the exception. A wrap, the step from 1 to 0, sets both.
    bool count_flag = false;
    bool pending = false;
    /// When the counter wrapped last, and how often it has.
    uint64_t wrap_at = 0;
    uint64_t wraps = 0;

    static constexpr uint64_t never = ~uint64_t{0};

    uint64_t to_wrap() const
    {
        if (!enabled || (value == 0 && reload == 0)) {
            return never;
        }
        return value != 0 ? value : uint64_t{reload} + 1;
    }
    /// Counts down, at most to the next wrap.
    void pass(uint64_t counts, uint64_t now)
    {
        if (!enabled || counts == 0) {
            return;
        }
        if (value == 0) {
            value = reload;
            --counts;
        }
        if (counts != 0 && value != 0) {
            value -= static_cast<uint32_t>(counts);
            if (value == 0) {
                count_flag = true;
                pending = true;
                wrap_at = now;
                ++wraps;
            }
        }
    }
    void write_value()
    {
        value = 0;
        count_flag = false;
    }
};

enum level : unsigned { thread, softirq, systick_handler, other_interrupt, levels };

struct core {
    uint64_t cycle = 0;
    counter systick;
    bool primask = false;
    bool softirq_pending = false;
    bool other_pending = false;
    level running = thread;
    /// When the other interrupt comes next.
    uint64_t other_interrupt_at = counter::never;
    /// Cycles of an access.
    uint32_t min_cost = 1;
    uint32_t max_cost = 1;
    /// The counts from the read of a restart() to the restart.
    uint32_t (*restart_cost)() = [] { return uint32_t{6}; };
    void (*handlers[levels])() = {};
    /// Called when WFI is about to stop the core.
    void (*before_stop)() = nullptr;
    /// Per level, when the counter was last read there, and whether it was 0.
    uint64_t read_at[levels] = {};
    bool read_0[levels] = {};
    uint64_t woken_at = 0;
    bool woken = false;
    uint64_t masked_at = 0;
    uint64_t longest_masked = 0;
    random_numbers numbers;
    /// The first fault that a real SysTick or the program would not survive.
    const char *broken = nullptr;

    uint32_t random(uint32_t below)
    {
        return static_cast<uint32_t>((uint64_t{numbers.next()} * below) >> 32);
    }
    void complain(const char *what)
    {
        broken = broken == nullptr ? what : broken;
    }

    /// Lets time pass without taking an interrupt.
    void advance(uint64_t cycles)
    {
        while (cycles != 0) {
            const uint64_t wrap = systick.to_wrap();
            const uint64_t step = cycles < wrap ? cycles : wrap;
            cycle += step;
            cycles -= step;
            systick.pass(step, cycle);
            if (cycle >= other_interrupt_at) {
                other_pending = true;
                other_interrupt_at = counter::never;
            }
        }
    }
    uint64_t to_event() const
    {
        const uint64_t wrap = systick.to_wrap();
        const uint64_t other = other_interrupt_at == counter::never ? counter::never : other_interrupt_at - cycle;
        return wrap < other ? wrap : other;
    }
    /// Lets time pass in which code runs and takes its interrupts.
    void pass(uint64_t cycles)
    {
        while (cycles != 0) {
            const uint64_t event = to_event();
            const uint64_t step = cycles < event ? cycles : event;
            advance(step);
            cycles -= step;
            take();
        }
    }
    void step()
    {
        pass(min_cost + random(max_cost - min_cost + 1));
    }

    level highest_pending() const
    {
        return other_pending     ? other_interrupt
               : systick.pending ? systick_handler
               : softirq_pending ? softirq
                                 : thread;
    }
    void take()
    {
        while (!primask && highest_pending() > running) {
            const level below = running;
            running = highest_pending();
            const level mine = running;
            if (mine == other_interrupt) {
                other_pending = false;
            } else if (mine == systick_handler) {
                systick.pending = false;
            } else {
                softirq_pending = false;
            }
            // An interrupt above this one may still come before the first instruction of the handler.
            step();
            handlers[mine]();
            step();
            running = below;
        }
    }

    bool mask()
    {
        step();
        const bool before = primask;
        if (!primask) {
            masked_at = cycle;
        }
        primask = true;
        return before;
    }
    void unmask(bool before)
    {
        step();
        if (primask && !before && cycle - masked_at > longest_masked) {
            longest_masked = cycle - masked_at;
        }
        primask = before;
        take();
    }
    void wait_for_interrupt()
    {
        step();
        woken = false;
        if (highest_pending() <= running) {
            before_stop();
            const uint64_t stopped = cycle;
            while (highest_pending() <= running) {
                if (to_event() == counter::never) {
                    complain("the core has stopped for good");
                    return;
                }
                advance(to_event());
            }
            masked_at += cycle - stopped;
            woken = true;
        }
        woken_at = cycle;
    }
};

inline core cpu;

/// The Systick parameter of tickless.hpp.
struct systick {
    /// The cost of restart() as the driver knows it, in 1/256 count.
    static inline uint32_t restart_cost;

    static uint32_t current()
    {
        cpu.step();
        cpu.read_at[cpu.running] = cpu.cycle;
        cpu.read_0[cpu.running] = cpu.systick.value == 0;
        return cpu.systick.value;
    }
    static void set_reload(uint32_t counts)
    {
        cpu.step();
        write_reload(counts);
    }
    static void write_reload(uint32_t counts)
    {
        if (counts == 0 || counts > 0xFFFFFF) {
            cpu.complain("a reload of 0, or of more than 24 bits");
        }
        cpu.systick.reload = counts & 0xFFFFFFu;
    }
    static bool set_reload_in_time(uint32_t min, uint32_t max, uint32_t reload)
    {
        cpu.step();
        const uint32_t left = cpu.systick.value;
        if (left - min > max - min) {
            return false;
        }
        const uint64_t wraps = cpu.systick.wraps;
        cpu.advance(6);
        if (cpu.systick.wraps != wraps) {
            cpu.complain("a reload that is written after the wrap");
        }
        write_reload(reload);
        return true;
    }
    static bool restart(uint32_t min, uint32_t max, uint32_t to, uint32_t reload)
    {
        cpu.step();
        const uint32_t left = cpu.systick.value;
        if (left - min > max - min) {
            return false;
        }
        const uint64_t wraps = cpu.systick.wraps;
        cpu.advance(cpu.restart_cost() - 1);
        write_reload(left + to - max);
        cpu.systick.write_value();
        do {
            cpu.advance(4);
        } while (cpu.systick.value == 0);
        if (cpu.systick.wraps != wraps) {
            cpu.complain("a wrap within a restart");
        }
        write_reload(reload);
        return true;
    }
    static bool pending()
    {
        cpu.step();
        return cpu.systick.pending;
    }
    static void clear_pending()
    {
        cpu.step();
        cpu.systick.pending = false;
    }
    static bool count_flag()
    {
        cpu.step();
        const bool flag = cpu.systick.count_flag;
        cpu.systick.count_flag = false;
        return flag;
    }
    static void pend_softirq()
    {
        cpu.step();
        cpu.softirq_pending = true;
        cpu.take();
    }
    static uint32_t mask()
    {
        return cpu.mask();
    }
    static void unmask(uint32_t before)
    {
        cpu.unmask(before != 0);
    }
    static void wait_for_interrupt()
    {
        cpu.wait_for_interrupt();
    }
};

} // namespace model
