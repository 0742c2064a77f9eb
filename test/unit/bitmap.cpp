// SPDX-License-Identifier: MIT
// The marks of the slots. The reference is a search that looks at one mark after the other. The geometries have
// levels of four words, of two, of one word, and levels that share a word.
#include <initializer_list>

#include <wheel/slots.hpp>

#include "unit_test.hpp"

namespace
{

using tickwheel::bitmap;
using tickwheel::geometry;
using unit::moment;

/// No slot is marked, or each slot outside of first .. end - 1.
template <class Geometry>
bitmap<Geometry> marked_outside(unsigned first, unsigned end, bool outside)
{
    bitmap<Geometry> marks = {};
    for (unsigned slot = 0; slot < Geometry::slot_count; ++slot) {
        if (outside && (slot < first || slot >= end)) {
            marks.mark(slot);
        }
    }
    return marks;
}

template <class Geometry>
unsigned steps_to_marked(const bitmap<Geometry> &marks, unsigned first, unsigned size, unsigned slot)
{
    for (unsigned steps = 1; steps <= size; ++steps) {
        if (marks.is_marked(first + (slot - first + steps) % size)) {
            return steps;
        }
    }
    return 0;
}

template <class Geometry, class Level>
void check_level(const bitmap<Geometry> &marks, Level lv, unsigned marked)
{
    for (unsigned slot = lv.first_slot; slot < lv.end(); ++slot) {
        const unsigned steps = steps_to_marked(marks, lv.first_slot, lv.size(), slot);
        CHECK_EQ(moment{marked, slot, marks.marked_after(lv, slot)}, moment{marked, slot, steps});
    }
}

template <class Geometry, class Level>
void check_marked_after_in(Level lv)
{
    for (const bool outside : {false, true}) {
        bitmap<Geometry> marks = marked_outside<Geometry>(lv.first_slot, lv.end(), outside);
        check_level(marks, lv, Geometry::slot_count);
        for (unsigned slot = lv.first_slot; slot < lv.end(); ++slot) {
            const unsigned other = lv.first_slot + (slot * 7 + 3) % lv.size();
            marks.mark(slot);
            check_level(marks, lv, slot);
            marks.mark(other);
            check_level(marks, lv, slot);
            marks.clear_mark(slot);
            marks.clear_mark(other);
        }
        check_level(marks, lv, Geometry::slot_count);
    }
}

template <class Geometry>
void check_marked_after()
{
    check_marked_after_in<Geometry>(Geometry::tv2());
    for (auto lv = Geometry::tv2().above(); lv.exists(); lv = lv.above()) {
        check_marked_after_in<Geometry>(lv);
    }
}

template <class Geometry>
void check_first_marked_from()
{
    bitmap<Geometry> marks = marked_outside<Geometry>(0, Geometry::tvr_size, true);
    CHECK_EQ(marks.first_marked_from(0), Geometry::tvr_size);
    for (unsigned marked = 0; marked < Geometry::tvr_size; ++marked) {
        marks.mark(marked);
        marks.mark(Geometry::tvr_mask);
        for (unsigned from = 0; from < Geometry::tvr_size; ++from) {
            const unsigned first = from <= marked ? marked : Geometry::tvr_mask;
            CHECK_EQ(moment{marked, from, marks.first_marked_from(from)}, moment{marked, from, first});
        }
        marks.clear_mark(Geometry::tvr_mask);
        marks.clear_mark(marked);
    }
}

} // namespace

TEST_CASE("marks: the highest one bit")
{
    for (unsigned zeros = 0; zeros < 32; ++zeros) {
        CHECK_EQ(tickwheel::count_leading_zeros(1u << 31 >> zeros), zeros);
        CHECK_EQ(tickwheel::count_leading_zeros(~0u >> zeros), zeros);
    }
}

TEST_CASE("marks: the next marked slot of each level")
{
    check_marked_after<geometry<8, 6>>();
    check_marked_after<geometry<6, 4>>();
    check_marked_after<geometry<6, 2>>();
    check_marked_after<geometry<6, 5>>();
    check_marked_after<geometry<6, 6>>();
}

TEST_CASE("marks: the first marked slot of tv1")
{
    check_first_marked_from<geometry<8, 6>>();
    check_first_marked_from<geometry<6, 2>>();
}

TEST_CASE("marks: those from a slot on in its word, with the slot as bit 31")
{
    for (unsigned slot = 0; slot < 64; ++slot) {
        // Of the slots after it, one mark at a time, or none: `later` is 32 then.
        for (unsigned later = slot % 32 + 1; later <= 32; ++later) {
            bitmap<geometry<6, 4>> marks = marked_outside<geometry<6, 4>>(slot & ~31u, (slot | 31) + 1, true);
            // A slot before it may hold a tick of the next turn.
            for (unsigned before = slot & ~31u; before < slot; ++before) {
                marks.mark(before);
            }
            if (later < 32) {
                marks.mark((slot & ~31u) + later);
            }
            const uint32_t rest = later < 32 ? 1u << 31 >> (later - slot % 32) : 0;
            CHECK_EQ(moment{slot, later, marks.marks_from(slot)}, moment{slot, later, rest});
        }
    }
}
