// SPDX-License-Identifier: MIT
// The slots of a wheel: FIFO lists with a head of one word, and a bitmap of
// which are occupied. All pointer surgery of the library is here; every member
// function is called with the lock held and takes constant time.
//
//   first[s] -> oldest -> ... -> youngest -> null     (next)
//               oldest->prev == youngest              (prev, else to the next older one)
//
// An empty slot is a null word, so slots of zeros are valid: they lie in .bss
// and work before any constructor has run.
#ifndef TICKWHEEL_SLOTS_HPP
#define TICKWHEEL_SLOTS_HPP

#include <stdint.h>

#include <tickwheel/geometry.hpp>
#include <tickwheel/seal.hpp>
#include <tickwheel/shared_word.hpp>
#include <tickwheel/tickwheel.h>

namespace tickwheel
{

/// How many zero bits stand above the highest one bit; `bits` must not be 0.
constexpr unsigned count_leading_zeros(uint32_t bits)
{
#if defined(__i386__) || defined(__x86_64__) || defined(__aarch64__) || defined(__wasm__) || defined(__riscv_zbb) || \
    (defined(__ARM_FEATURE_CLZ) && !defined(__ARM_ARCH_8M_BASE__))
    return static_cast<unsigned>(__builtin_clz(bits));
#else
    // Without the instruction __builtin_clz asks for __clzsi2 of libgcc. Clang 14 says that v8-M Baseline has it.
    unsigned count = 0;
    for (unsigned half = 16; half != 0; half /= 2) {
        if (bits >> (32 - half) == 0) {
            bits <<= half;
            count += half;
        }
    }
    return count;
#endif
}

template <class Geometry>
struct slots {
    /// The oldest timer of each slot.
    timer_list *first[Geometry::slot_count];
    /// One bit a slot, the lowest slot in the highest bit: 0 only if the slot is empty (I2). A removal leaves the
    /// bit, the runner clears it in passing. Searches read it with the lock open, so each access is one load.
    shared_word map[Geometry::map_words];
    /// Overwritten by every change of a list. A walk that opens the lock on its way leaves an address of its own
    /// here, no timer's, and knows by it whether what it has seen still holds (I8).
    const void *changed_by;

    /// Makes an idle timer the youngest of a slot.
    [[gnu::always_inline]] void append(unsigned slot, timer_list *timer)
    {
        timer_list *const oldest = first[slot];
        timer->slot = static_cast<uint16_t>(slot);
        changed_by = timer;
        if (oldest == nullptr) {
            // Null, in a register already.
            timer->next = oldest;
            begin(slot, timer);
        } else {
            timer_list *const youngest = oldest->prev;
            timer->next = nullptr;
            youngest->next = timer;
            timer->prev = youngest;
            oldest->prev = timer;
            seal(youngest, this);
            seal(oldest, this);
            seal(timer, this);
        }
    }

    /// Makes an idle timer the oldest of a slot.
    void prepend(unsigned slot, timer_list *timer)
    {
        timer_list *const oldest = first[slot];
        timer->slot = static_cast<uint16_t>(slot);
        timer->next = oldest;
        changed_by = timer;
        if (oldest == nullptr) {
            begin(slot, timer);
        } else {
            timer->prev = oldest->prev;
            oldest->prev = timer;
            first[slot] = timer;
            seal(oldest, this);
            seal(timer, this);
        }
    }

    /// Makes the oldest timer of a slot idle.
    void remove_oldest(unsigned slot, timer_list *oldest)
    {
        timer_list *const younger = oldest->next;
        first[slot] = younger;
        if (younger != nullptr) {
            younger->prev = oldest->prev;
            seal(younger, this);
        }
        oldest->prev = nullptr;
        changed_by = oldest;
    }

    /// Makes the youngest timer of a slot idle, of which `oldest` is the oldest, and returns it.
    timer_list *remove_youngest(unsigned slot, timer_list *oldest)
    {
        timer_list *const youngest = oldest->prev;
        if (youngest == oldest) {
            first[slot] = nullptr;
        } else {
            timer_list *const older = youngest->prev;
            oldest->prev = older;
            older->next = nullptr;
            seal(older, this);
            seal(oldest, this);
        }
        return youngest;
    }

    /// Makes a pending timer idle.
    void remove(timer_list *timer)
    {
        unlink(timer);
        timer->prev = nullptr;
        changed_by = timer;
    }

    /// Takes a pending timer out of its slot, for a caller that appends it elsewhere next.
    [[gnu::always_inline]] void unlink(timer_list *timer)
    {
        timer_list *const older = timer->prev;
        timer_list *const younger = timer->next;
        // Only the youngest has no next, and only the oldest has the youngest as its prev.
        if (older->next == nullptr) {
            first[timer->slot] = younger;
            if (younger != nullptr) {
                younger->prev = older;
                seal(younger, this);
            }
        } else {
            older->next = younger;
            // The tail case is the longest path, so it is the fall-through.
            timer_list *const follower = __builtin_expect(younger != nullptr, 0) ? younger : first[timer->slot];
            follower->prev = older;
            seal(older, this);
            seal(follower, this);
        }
    }

    /// Says that a slot is empty, which it must be; returns the bits of its word from its own on, its own highest.
    uint32_t clear(unsigned slot)
    {
        const uint32_t bits = map[slot / 32] & ~bit(slot);
        map[slot / 32] = bits;
        return bits << slot % 32;
    }

    /// The first occupied slot of tv1 that is not below `slot`; tvr_size when there is none. May be stale.
    unsigned occupied(unsigned slot) const
    {
        uint32_t above = ~0u >> slot % 32;
        for (unsigned word = slot / 32; word < Geometry::tvr_size / 32; ++word) {
            const uint32_t bits = map[word] & above;
            if (bits != 0) {
                return word * 32 + count_leading_zeros(bits);
            }
            above = ~0u;
        }
        return Geometry::tvr_size;
    }

    /// False only if a row is empty: it has one word or two, or shares one.
    bool any(typename Geometry::level row) const
    {
        return (map[row.first_slot / 32] | map[(row.end() - 1) / 32]) != 0;
    }

    /// How many slots after `slot` the next occupied one of its row lies, around the end of the row: 1 to the row's
    /// size, which means the slot itself; 0 when there is none. May be stale.
    unsigned steps_to_occupied(typename Geometry::level row, unsigned slot) const
    {
        const unsigned word = slot / 32;
        const unsigned place = slot % 32;
        // Those of the row in the slot's own word; then after the slot, in the row's other word, and from its start
        // on.
        uint32_t own = map[word];
        if (row.size() < 32) {
            own &= ~0u << (32 - row.size()) >> row.first_slot % 32;
        }
        uint32_t bits = own & ~0u >> 1 >> place;
        unsigned steps = 0 - place;
        if (bits == 0 && row.size() > 32) {
            bits = map[2u * (row.first_slot / 32) + 1 - word];
            steps += 32;
        }
        if (bits == 0) {
            bits = own;
            steps = row.size() - place;
        }
        return bits == 0 ? 0 : steps + count_leading_zeros(bits);
    }

    /// Whether the slot has its bit; never false while it holds a timer.
    bool marked(unsigned slot) const
    {
        // As a sign: an instruction less than by the bit's mask.
        return static_cast<int32_t>(map[slot / 32] << slot % 32) < 0;
    }

    /// The oldest timer of a slot, by one load: the lock may be open.
    timer_list *oldest_of(unsigned slot) const
    {
        return *const_cast<timer_list *const volatile *>(&first[slot]);
    }

private:
    static constexpr uint32_t bit(unsigned slot)
    {
        return 1u << 31 >> slot % 32;
    }

    void begin(unsigned slot, timer_list *timer)
    {
        first[slot] = timer;
        timer->prev = timer;
        seal(timer, this);
        map[slot / 32] = map[slot / 32] | bit(slot);
    }
};

} // namespace tickwheel

#endif
