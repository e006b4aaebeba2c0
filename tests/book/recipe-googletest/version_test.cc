// What a project has already: one test, for one pair of versions.
#include "version.h"
#include <gtest/gtest.h>

TEST(Version, OlderMajor)
{
    EXPECT_TRUE(older(pack(1, 9, 0), pack(2, 0, 0)));
    EXPECT_FALSE(older(pack(2, 0, 0), pack(1, 9, 0)));
}
