#include "campaign/array_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isosan::campaign {
namespace {

using testing::HasSubstr;

TEST(ArrayJob, IndicesAreRanges) {
  EXPECT_EQ(array_text({}), "");
  EXPECT_EQ(array_text({7}), "7");
  EXPECT_EQ(array_text({1, 2, 3, 4}), "1-4");
  EXPECT_EQ(array_text({1, 3, 4, 9}), "1,3-4,9");
}

TEST(ArrayJob, AResultGetsItsNameWhenItIsComplete) {
  const std::string script =
      task_script("/opt/my tools/isosan", {"hunt", "--all", "--", "./a", "it's"}, "/shared/x", 7);
  EXPECT_THAT(script, HasSubstr("'/opt/my tools/isosan' hunt --shard $SLURM_ARRAY_TASK_ID/7 --json "
                                "\"$mine\" -o \"$folder/task.$SLURM_ARRAY_TASK_ID\" --jobs "
                                "${SLURM_CPUS_PER_TASK:-1} --all -- ./a 'it'\\''s' >"));
  EXPECT_THAT(script, HasSubstr("\nmv \"$mine\" \"$part\""));
  EXPECT_THAT(script, HasSubstr("folder=/shared/x\n"));
  EXPECT_EQ(part_path("/shared/x", 3), "/shared/x/part.3.json");
}

TEST(ArrayJob, JobsOfTheProgramAreItsOwn) {
  EXPECT_THAT(task_script("isosan", {"test", "--jobs=3", "--", "./a"}, "/x", 7),
              testing::Not(HasSubstr("SLURM_CPUS")));
  EXPECT_THAT(task_script("isosan", {"test", "--", "./a", "--jobs=3"}, "/x", 7),
              HasSubstr("SLURM_CPUS"));
}

}  // namespace
}  // namespace isosan::campaign
