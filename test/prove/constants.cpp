// SPDX-License-Identifier: MIT
// Prints the constants of each geometry in GEOMETRIES, and the slots that upper_slot() gives for some ticks.
#include <stdio.h>

#include "wheel/geometry.hpp"

using namespace tickwheel;

namespace
{

template <class Geometry, class Level>
void print_levels(Level level)
{
    printf("%s[%u, %u, %u, %s]", level.first_slot == Geometry::tvr_size ? "" : ", ", unsigned{level.shift},
           unsigned{level.first_slot}, level.size(), level.beyond() ? "true" : "false");
    if (level.above().exists()) {
        print_levels<Geometry>(level.above());
    }
}

template <unsigned TvrBits, unsigned TvnBits>
void print()
{
    using shape = geometry<TvrBits, TvnBits>;
    printf("{\"name\": \"%u,%u\", \"tvr_size\": %u, \"block_size\": %u, \"slot_count\": %u, \"levels\": [", TvrBits,
           TvnBits, shape::tvr_size, shape::block_size, shape::slot_count);
    print_levels<shape>(shape::tv2());
    printf("], \"samples\": [");
    const char *comma = "";
    // A tick near each power of two after each of some bases.
    for (jiffies_t base = 0; base < 8; ++base) {
        const jiffies_t from = base * 0x2C0BD1A5 & ~(shape::block_size - 1);
        for (unsigned bit = TvrBits - 1; bit < 32; ++bit) {
            for (jiffies_t near = bit < TvrBits ? 0 : ~0u; near != 2; ++near) {
                const jiffies_t distance = (jiffies_t{1} << bit) + near;
                printf("%s[%u, %u, %u]", comma, from + distance, distance,
                       shape::upper_slot(from + distance, distance));
                comma = ", ";
            }
        }
    }
    printf("]}\n");
}

} // namespace

int main()
{
#define PRINT(tvr_bits, tvn_bits) print<tvr_bits, tvn_bits>();
    GEOMETRIES(PRINT)
    return 0;
}
