"""the tests of its own suite over threads of one process, and over TCP and local sockets; each has an I/O thread at least"""
SOURCES = ("zeromq3",)
FRONTS = ("pass", "tsan")
TESTS = ("atomics", "client_server", "conflate", "ctx_destroy", "ctx_options", "disconnect_inproc", "getsockopt_memset", "hwm", "hwm_pubsub",
         "immediate", "inproc_connect", "invalid_rep", "iov", "issue_566", "last_endpoint", "many_sockets", "monitor", "msg_ffn", "msg_flags",
         "pair_inproc", "pair_ipc", "pair_tcp", "poller", "probe_router", "proxy", "proxy_single_socket", "proxy_terminate", "radio_dish",
         "reconnect_ivl", "req_correlate", "req_relaxed", "reqrep_device", "reqrep_inproc", "reqrep_ipc", "reqrep_tcp", "router_handover",
         "router_mandatory", "scatter_gather", "security_null", "security_plain", "shutdown_stress", "spec_dealer", "spec_pushpull", "spec_rep",
         "spec_req", "spec_router", "sub_forward", "thread_safe", "timers", "unbind_wildcard", "xpub_manual", "xpub_nodrop", "xpub_verbose")


def build(b):
    tree = b.tree("zeromq3")
    b.command("cmake", "-S", tree, "-B", "out", f"-DCMAKE_C_COMPILER={b.cc}", f"-DCMAKE_CXX_COMPILER={b.cxx}", "-DCMAKE_BUILD_TYPE=None",
              f"-DCMAKE_C_FLAGS={b.flags} -w", f"-DCMAKE_CXX_FLAGS={b.flags} -w", "-DENABLE_DRAFTS=ON", "-DBUILD_SHARED=OFF", "-DENABLE_CURVE=OFF",
              "-DWITH_LIBSODIUM=OFF", "-DWITH_PERF_TOOL=OFF", "-DWITH_DOCS=OFF", "-DENABLE_CPACK=OFF", "-DENABLE_WS=OFF", cwd=b.folder)
    b.command("cmake", "--build", "out", "-j2", "--target", *(f"test_{test}" for test in TESTS), cwd=b.folder)


def work(r):
    for test in TESTS:
        r.run(f"out/bin/test_{test}")
    return TESTS
