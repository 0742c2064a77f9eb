// SPDX-License-Identifier: MIT
// One test for the wheel and all of its peers.
#include "../../test/unit/unit_test.hpp"
#include "all.hpp"
#include "trial.hpp"

// Every system is started by init().
void unit::look_before_main()
{
}

#define SYSTEM(name)                                                                                                 \
    TEST_CASE(#name)                                                                                                 \
    {                                                                                                                \
        peers::trial<peers::name>::all();                                                                            \
    }
#include "systems.def"
