// SPDX-License-Identifier: MIT
// An "interrupt" on the host: something done wherever the lock becomes free.
#pragma once

#include <functional>
#include <utility>

#if defined(__x86_64__)
#include <signal.h>
#include <ucontext.h>
#endif

#include <tickwheel/port.hpp>

namespace unit
{

inline std::function<void()> handler;
inline bool in_handler;

/// Lets the interrupt in, if there is one and the lock is free; not from within the handler itself.
inline void let_in()
{
    if (tickwheel::interrupts.depth == 0 && !in_handler && handler) {
        in_handler = true;
        handler();
        in_handler = false;
    }
}

/// Calls the handler at the beginning of every interrupt window of the port's lock while it lives.
class interrupt_at_interrupt_windows {
public:
    explicit interrupt_at_interrupt_windows(std::function<void()> what)
    {
        handler = std::move(what);
        tickwheel::interrupts.on_open = let_in;
    }
    ~interrupt_at_interrupt_windows()
    {
        tickwheel::interrupts.on_open = nullptr;
        handler = nullptr;
    }
    interrupt_at_interrupt_windows(const interrupt_at_interrupt_windows &) = delete;
    interrupt_at_interrupt_windows &operator=(const interrupt_at_interrupt_windows &) = delete;
};

/// The port's lock for wheels of a test's own. The interrupt also comes at the end of every interrupt window.
struct watched_lock : tickwheel::port_lock {
    static uint32_t irq_save()
    {
        let_in();
        return port_lock::irq_save();
    }
    static void irq_mask_all()
    {
        (void)irq_save();
    }
    static void interrupt_window(uint32_t depth)
    {
        irq_restore(depth);
        irq_mask_all();
    }
};

/// Runs `work` again and again. `act` interrupts it at its first, second, ... interrupt window, until it has no
/// more. `prepare` comes before each time. `check` comes after each time, also after the last one, which no interrupt
/// has met: its arguments say whether the interrupt came, and whether that was at the last interrupt window. Returns
/// how many points there were.
template <class Prepare, class Work, class Act, class Check>
unsigned at_every_interrupt_window(Prepare prepare, Work work, Act act, Check check)
{
    for (unsigned place = 0;; ++place) {
        prepare();
        unsigned point = 0;
        bool taken = false;
        {
            const interrupt_at_interrupt_windows interrupt([&] {
                if (point++ == place) {
                    taken = true;
                    act();
                }
            });
            work();
        }
        check(taken, point == place + 1);
        if (!taken) {
            return place;
        }
    }
}

#if defined(__x86_64__)

/// Instructions that are left before the handler. If the lock is held then, it waits for the lock as an interrupt
/// does.
inline unsigned instructions_left;
inline std::function<void()> after_instructions;
constexpr greg_t trap_flag = 0x100;

inline void step(int /*signal*/, siginfo_t * /*info*/, void *context)
{
    if (instructions_left > 1) {
        --instructions_left;
    } else if (tickwheel::interrupts.depth == 0) {
        instructions_left = 0;
        static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
        after_instructions();
    }
}

/// Runs `work` again and again. `act` interrupts it after its first, second, ... instruction, until it has no more.
/// `prepare` comes before each time, and `check` after each. Returns how many instructions there were.
template <class Prepare, class Work, class Act, class Check>
unsigned after_every_instruction(Prepare prepare, Work work, Act act, Check check)
{
    struct sigaction stepping = {};
    struct sigaction before = {};
    stepping.sa_sigaction = step;
    stepping.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &stepping, &before);
    after_instructions = act;
    unsigned place = 0;
    do {
        prepare();
        instructions_left = ++place;
        // Beyond the 128 bytes below the stack pointer, which belong to this function.
        __asm__ volatile(
            "lea -128(%%rsp), %%rsp\n\tpushfq\n\torl $0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                : "cc", "memory");
        work();
        __asm__ volatile(
            "lea -128(%%rsp), %%rsp\n\tpushfq\n\tandl $~0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                : "cc", "memory");
        check();
    } while (instructions_left == 0);
    after_instructions = nullptr;
    sigaction(SIGTRAP, &before, nullptr);
    return place;
}

#endif

} // namespace unit
