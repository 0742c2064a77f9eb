// SPDX-License-Identifier: MIT
#include "report.hpp"

#include "console.hpp"

namespace
{

using console::print;
using console::print_line;

void print_firing(const timers::firing &it)
{
    print("  timer ", it.number, " fired at tick ", it.got);
    switch (it.what) {
    case timers::verdict::exact:
        print(", as asked");
        break;
    case timers::verdict::skipped_over:
        print(", late: `skip` passed its tick ", it.asked);
        break;
    case timers::verdict::wrong_tick:
        print(", in the WRONG TICK: asked for ", it.asked);
        break;
    case timers::verdict::out_of_order:
        print(", OUT OF ORDER");
        break;
    }
    print(" (tv", it.level, ")");
    if (it.missed != 0) {
        print(", periods missed: ", it.missed);
    }
    print("\n");
}

} // namespace

void report::firings(uint32_t most)
{
    timers::firing firing = {};
    for (; most != 0 && timers::take_firing(firing); --most) {
        console::hide_line();
        print_firing(firing);
    }
    static uint32_t told;
    const uint32_t unprinted = timers::unprinted();
    if (unprinted != told) {
        console::hide_line();
        print_line("  ", unprinted - told, " more fired, too many at once to print");
        told = unprinted;
    }
}

void report::totals(const timers::totals &total)
{
    uint32_t exact = 0;
    for (const uint32_t of_level : total.exact) {
        exact += of_level;
    }
    print(exact, " fired in their exact tick (tv1 ", total.exact[0], ", tv2 ", total.exact[1], ", tv3 ",
          total.exact[2], ", tv4 ", total.exact[3], ", tv5 ", total.exact[4], "), ");
    print_line(total.skipped_over, " late after a skip, ", total.wrong_tick, " in a wrong tick, ", total.out_of_order,
               " out of order, ", total.lost, " lost");
}
