import { libc } from "./libc.ts";
import { kernelError } from "./errno.ts";

const UV_POLL = 8;
const UV_READABLE = 1;

/** A file descriptor watched by the event loop. */
export interface FdWatch extends Disposable {
  /** Stops watching; the descriptor itself stays open and belongs to the caller. */
  close(): void;
}

/**
 * Calls `onReadable` in the main loop whenever `fd` has something to read (or has failed).
 *
 * This is libuv's own poll handle, reached through the process image: no thread waits, so any number of sockets can be
 * watched. The callback must read until EAGAIN or it is called again.
 */
export function watchReadable(fd: number, onReadable: () => void): FdWatch {
  const { functions, library, ffi } = libc();
  const handle = Buffer.alloc(Number(functions.uv_handle_size(UV_POLL)));
  const status = functions.uv_poll_init(ffi.getCurrentEventLoop(), handle, fd);
  if (status < 0) throw kernelError({ area: "poll", action: `watch descriptor ${String(fd)}`, errno: -status });

  let open = true;
  let scheduled = false;
  const ready = library.registerCallback({ arguments: ["pointer", "i32", "i32"], return: "void" }, () => {
    // libuv calls from outside any JavaScript turn: promises settled here would wait for the next one. The
    // check phase of the same loop iteration gives a whole turn instead.
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (open) onReadable();
    });
  });
  const started = functions.uv_poll_start(handle, UV_READABLE, ready);
  const close = (): void => {
    if (!open) return;
    open = false;
    functions.uv_poll_stop(handle);
    const closed = library.registerCallback({ arguments: ["pointer"], return: "void" }, () => {
      // The handle's memory and the callbacks must outlive libuv's use of them, which ends after this turn.
      setImmediate(() => {
        library.unregisterCallback(ready);
        library.unregisterCallback(closed);
        retained.delete(handle);
      });
    });
    functions.uv_close(handle, closed);
  };
  retained.add(handle);
  if (started < 0) {
    close();
    throw kernelError({ area: "poll", action: `watch descriptor ${String(fd)}`, errno: -started });
  }
  return { close, [Symbol.dispose]: close };
}

/** libuv holds bare addresses; this keeps the memory behind them alive. */
const retained = new Set<Buffer>();
