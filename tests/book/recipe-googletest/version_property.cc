// The same test for all versions.
#include "version.h"
#include <elsewise.h>
#include <gtest/gtest.h>

TEST(Version, OlderIsAnOrder)
{
    uint8_t major[2];
    elsewise_input(major, sizeof major, "major");
    elsewise_assume(major[0] < major[1]);
    EXPECT_TRUE(older(pack(major[0], 9, 0), pack(major[1], 0, 0)));
}
