"""the tests of its own suite that need no client library: servers with a thread of their own, a pool of threads, one for each connection"""
SOURCES = ("libmicrohttpd",)
FRONTS = ("pass", "tsan")
TESTS = ("test_daemon", "test_start_stop", "test_shutdown_select", "test_shutdown_poll", "test_postprocessor_large", "test_options",
         "test_client_put_shutdown", "test_client_put_close", "test_client_put_hard_close", "test_client_put_steps_shutdown",
         "test_client_put_chunked_shutdown", "test_upgrade", "test_upgrade_large")


def build(b):
    tree = b.tree("libmicrohttpd")
    b.command("./configure", "--disable-shared", "--disable-https", "--disable-curl", "--disable-doc", "--disable-examples", "--enable-heavy-tests=no",
              f"CC={b.cc}", f"CFLAGS={b.flags} -w", cwd=tree)
    folder = tree / "src" / "microhttpd"
    b.make("libmicrohttpd.la", cwd=folder)  # the tests name it by another path, for which there is no rule
    b.make(*TESTS, cwd=folder)


def work(r):
    folder = r.folder / "libmicrohttpd" / "src" / "microhttpd"
    for test in TESTS:
        r.run(folder / test)
    return TESTS
