// SPDX-License-Identifier: MIT
// Runs all cases.
#include "../cases.hpp"

int main()
{
    for (const named_case *each = named_case::first; each != nullptr; each = each->next) {
        begin_case(each->name);
        each->run();
        end_case();
    }
    return finish();
}
