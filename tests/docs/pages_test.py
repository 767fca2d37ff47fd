#!/usr/bin/env python3
"""What pages.py makes of a page, and what it does not let pass."""
import unittest

import pages

PAGE = """# Title

<!-- exit 66, long -->
```console
$ first
one
$ cat <<END
> text
> END
...
a ... z
```

<!-- file a.cc -->
```cpp
int a;
```
"""


class Pages(unittest.TestCase):
    def setUp(self):
        self.console, self.file = pages.blocks_of("page.md", PAGE)

    def test_commands_have_their_output_and_line(self):
        first, second = pages.commands_of(self.console)
        self.assertEqual((first.text, first.output, first.line, first.status), ("first", ["one"], 5, 0))
        self.assertEqual((second.text, second.output, second.status), ("cat <<END\ntext\nEND", ["...", "a ... z"], 66))
        self.assertEqual(self.console.marks, ["exit 66", "long"])

    def test_a_file_is_written(self):
        (command,) = pages.commands_of(self.file)
        self.assertEqual(command.text, "cat > a.cc <<'END_OF_FILE'\nint a;\nEND_OF_FILE")

    def test_dots_stand_for_anything_and_nothing_else_does(self):
        matches = lambda expected, actual: bool(pages.pattern_of(expected).fullmatch(actual))  # noqa: E731
        self.assertTrue(matches(["...", "a ... z"], "x\ny\na b z\n"))
        self.assertTrue(matches(["...", "a ... z"], "a b z\n"))
        self.assertFalse(matches(["a ... z"], "a b z\nmore\n"))
        self.assertFalse(matches(["one."], "oneX\n"))
        self.assertEqual(pages.first_difference(["one", "two"], "one\nthree\n"), 1)


unittest.main()
