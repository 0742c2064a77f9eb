// SPDX-License-Identifier: MIT
// Prints the constants of each geometry in GEOMETRIES.
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
    printf("]}\n");
}

} // namespace

int main()
{
#define PRINT(tvr_bits, tvn_bits) print<tvr_bits, tvn_bits>();
    GEOMETRIES(PRINT)
    return 0;
}
