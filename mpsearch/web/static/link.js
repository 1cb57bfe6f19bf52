// The connection to the server, which is opened again when it breaks.

const REFUSED = 1008;
const LONGEST_WAIT = 5000;

export function connect(path, { onMessage, onState }) {
  let socket = null;
  let wait = 250;

  function open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}${path}`);
    socket.addEventListener("open", () => {
      wait = 250;
      onState("open");
    });
    socket.addEventListener("message", (event) => onMessage(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (event.code === REFUSED) {
        onState("refused", event.reason);
        return;
      }
      onState("lost");
      setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    });
  }

  open();
  return {
    send(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
  };
}
