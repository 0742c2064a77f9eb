// SPDX-License-Identifier: MIT
/// @file
/// Records the events of a wheel in RAM, 16 bytes each. docs/tracing.md shows how to use it, and
/// tools/trace/convert.py reads the records.
///
/// A Core has two static functions:
///   now()        a count that wraps at 2^32; called with the lock held
///   exception()  the number of the exception that runs, 0 in thread code

// Before the guard: it includes the program's hooks, which need this file.
#include <tickwheel/hooks.hpp>

#ifndef TICKWHEEL_RECORDER_HPP
#define TICKWHEEL_RECORDER_HPP

#include <stdint.h>

#include <tickwheel/lock.hpp>

namespace tickwheel
{

/// What happened. The numbers are those of convert.py.
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
    started,
};

/// One event.
struct trace_record {
    /// From the top: 16 bits of the record's number, 4 of the event, 3 that are 0, 9 of the exception. 0 while the
    /// record is written.
    shared_word head;
    /// Core::now().
    shared_word time;
    /// The timer, or else the slot or the tick.
    shared_word subject;
    /// A tick or a slot; see the hooks below.
    shared_word value;
};
static_assert(sizeof(trace_record) == 16, "convert.py reads 16 bytes");

/// The last `Records` events, a power of two up to 2^15. Any context that the lock masks may record, also above
/// another one that is recording.
template <class Lock, class Core, uint32_t Records>
class recorder {
    static_assert(Records != 0 && (Records & (Records - 1)) == 0 && Records <= 1u << 15,
                  "16 bits of its number tell a record from the one before it in the same place");

public:
    /// Marks the ring for convert.py, which finds it in an image of RAM. `time_hz` is how often Core::now() counts a
    /// second. `counts_per_tick` is 0 if Core::now() does not follow jiffies.
    void start(uint32_t time_hz, uint32_t counts_per_tick)
    {
        time_hz_ = time_hz;
        counts_per_tick_ = counts_per_tick;
        size_ = Records;
        record(trace_event::started, time_hz, counts_per_tick);
        constexpr char mark[] = "tickwheel trace";
        for (unsigned i = 0; i < sizeof mark; ++i) {
            mark_[i] = mark[i];
        }
    }

    /// Copies the oldest event that nobody has taken yet. Returns false if there is none, or if a context below the
    /// caller is writing it. One context may call this.
    bool take(trace_record &copy)
    {
        for (;;) {
            const uint32_t number = read_;
            if (number == written_) {
                return false;
            }
            const trace_record &record = records_[number % Records];
            // One volatile load each, so that the head is also read last.
            copy = {uint32_t{record.head}, uint32_t{record.time}, uint32_t{record.subject}, uint32_t{record.value}};
            const uint32_t head = record.head;
            const bool lapped = written_ - number > Records;
            if (!lapped && head == 0) {
                return false;
            }
            read_ = number + 1;
            // Otherwise newer events have overwritten it, or a writer that was interrupted for a whole turn has.
            if (!lapped && head == copy.head && head >> 16 == (number & 0xFFFFu)) {
                return true;
            }
            lost_ = lost_ + 1;
        }
    }

    /// How many events take() has left out because newer ones had overwritten them.
    uint32_t lost() const
    {
        return lost_;
    }
    /// How many events were recorded, modulo 2^32.
    uint32_t recorded() const
    {
        return written_;
    }

    /// @{ The hooks.
    void armed(const timer_list *timer)
    {
        record(trace_event::armed, address(timer), timer->expires);
    }
    void moved(const timer_list *timer)
    {
        record(trace_event::moved, address(timer), timer->expires);
    }
    void cancelled(const timer_list *timer)
    {
        record(trace_event::cancelled, address(timer), timer->expires);
    }
    void callback_begins(const timer_list *timer)
    {
        record(trace_event::callback_begins, address(timer), timer->expires);
    }
    void callback_ends(const timer_list *timer)
    {
        record(trace_event::callback_ends, address(timer), 0);
    }
    void cascade_begins(unsigned slot)
    {
        record(trace_event::cascade_begins, slot, 0);
    }
    void cascaded(const timer_list *timer)
    {
        record(trace_event::cascaded, address(timer), timer->slot);
    }
    void cascade_ends(unsigned slot)
    {
        record(trace_event::cascade_ends, slot, 0);
    }
    void tick_with_work(jiffies_t now, jiffies_t next)
    {
        record(trace_event::tick_with_work, now, next);
    }
    void sleeps(jiffies_t ahead)
    {
        record(trace_event::sleeps, ::jiffies, ahead);
    }
    void wakes()
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
    [[gnu::noinline]] void record(trace_event event, uint32_t subject, uint32_t value)
    {
        uint32_t number = 0;
        uint32_t time = 0;
        {
            // Together, so that the numbers are in the order of time, and no reader sees an older event there.
            const locked<Lock> lock;
            number = written_;
            written_ = number + 1;
            time = Core::now();
            records_[number % Records].head = 0;
        }
        // The rest may be interrupted. An interrupt writes other places, unless it records a whole turn.
        trace_record &record = records_[number % Records];
        record.time = time;
        record.subject = subject;
        record.value = value;
        record.head = number << 16 | static_cast<uint32_t>(event) << 12 | Core::exception();
    }

    // convert.py reads these eight words and the records.
    char mark_[16] = {};
    uint32_t time_hz_ = 0;
    uint32_t counts_per_tick_ = 0;
    uint32_t size_ = 0;
    shared_word written_;
    trace_record records_[Records] = {};
    uint32_t read_ = 0;
    shared_word lost_;
};

} // namespace tickwheel

#endif
