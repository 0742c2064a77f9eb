// SPDX-License-Identifier: MIT
/// @file
/// Hooks that record the events of a wheel in a ring in RAM, 16 bytes each. docs/tracing.md shows how to use them,
/// and tools/gdb/tickwheel_trace.py reads the ring.
///
/// A Core has two static functions:
///   now()        a count that wraps at 2^32; called with the lock held
///   exception()  the number of the exception that runs, 0 in thread code
#ifndef TICKWHEEL_RECORDER_HPP
#define TICKWHEEL_RECORDER_HPP

#include <stdint.h>

#include <tickwheel/lock.hpp>
#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// The kinds of events.
enum class trace_event : uint32_t {
    armed = 1,
    moved,
    cancelled,
    callback_begins,
    callback_ends,
    cascade_begins,
    cascaded,
    cascade_ends,
    tick_with_work,
    sleeps,
    wakes,
};

/// One event.
struct trace_record {
    /// From the top: 16 bits of the record's number, 4 of the event, 3 that are 0, 9 of the exception. While the
    /// record is written, it has the number of an older one, or is 0.
    shared_word head;
    /// Core::now().
    shared_word time;
    /// The timer, or else the slot or the tick.
    shared_word subject;
    /// A tick or a slot; see the hooks below.
    shared_word value;
};

/// The last `Records` events, a power of two up to 2^15.
template <uint32_t Records>
struct trace_ring {
    static_assert(Records != 0 && (Records & (Records - 1)) == 0 && Records <= 1u << 15,
                  "16 bits of its number tell a record from the one before it in the same place");

    /// How often Core::now() counts a second. Write it before you look at the ring.
    uint32_t time_hz = 0;
    /// 0 if Core::now() does not follow jiffies.
    uint32_t counts_per_tick = 0;
    /// How many events were recorded, modulo 2^32.
    shared_word written;
    /// The record of each event, at its number modulo `Records`.
    trace_record records[Records] = {};
};

/// Records into a ring. Any context that the lock masks may record, also above another one that is recording.
template <class Lock, class Core, auto &Ring>
struct recorder {
    /// @{ The hooks.
    static void armed(const timer_list *timer)
    {
        record(trace_event::armed, address(timer), timer->expires);
    }
    static void moved(const timer_list *timer)
    {
        record(trace_event::moved, address(timer), timer->expires);
    }
    static void cancelled(const timer_list *timer)
    {
        record(trace_event::cancelled, address(timer), timer->expires);
    }
    static void callback_begins(const timer_list *timer)
    {
        record(trace_event::callback_begins, address(timer), timer->expires);
    }
    static void callback_ends(const timer_list *timer)
    {
        record(trace_event::callback_ends, address(timer), 0);
    }
    static void cascade_begins(unsigned slot)
    {
        record(trace_event::cascade_begins, slot, 0);
    }
    static void cascaded(const timer_list *timer)
    {
        record(trace_event::cascaded, address(timer), timer->slot);
    }
    static void cascade_ends(unsigned slot)
    {
        record(trace_event::cascade_ends, slot, 0);
    }
    static void tick_with_work(jiffies_t now, jiffies_t next)
    {
        record(trace_event::tick_with_work, now, next);
    }
    static void sleeps(jiffies_t ahead)
    {
        record(trace_event::sleeps, ::jiffies, ahead);
    }
    static void wakes()
    {
        record(trace_event::wakes, ::jiffies, 0);
    }
    /// @}

private:
    static uint32_t address(const timer_list *timer)
    {
        return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(timer));
    }

    // Out of line, so that a hook costs its caller a call.
    [[gnu::noinline]] static void record(trace_event event, uint32_t subject, uint32_t value)
    {
        constexpr uint32_t size = sizeof Ring.records / sizeof Ring.records[0];
        uint32_t number = 0;
        uint32_t time = 0;
        {
            // Together, so that the numbers are in the order of time.
            const lock_guard<Lock> lock;
            number = Ring.written;
            Ring.written = number + 1;
            time = Core::now();
        }
        // The rest may be interrupted. An interrupt writes other places, unless it records a whole turn.
        trace_record &record = Ring.records[number % size];
        record.time = time;
        record.subject = subject;
        record.value = value;
        record.head = number << 16 | static_cast<uint32_t>(event) << 12 | Core::exception();
    }
};

} // namespace tickwheel

#endif
