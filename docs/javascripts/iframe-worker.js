// A Worker for pages that were opened from a disk, where browsers allow none: the script runs in a hidden frame.
// The site's search needs no more than one worker that takes and sends messages.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      window.addEventListener("message", ({ source, data }) => {
        if (source === inside) this.dispatchEvent(new MessageEvent("message", { data }));
      });
      this.ready = new Promise((done) => {
        inside.done = done;
      });
      this.inside = inside;
      inside.document.open();
      inside.document.write(`<body><script>
        postMessage = (data) => parent.postMessage(data, "*");
        importScripts = (...addresses) => addresses.reduce((before, address) => before.then(() => new Promise((next) => {
          const script = document.createElement("script");
          script.src = address;
          script.onload = next;
          document.body.append(script);
        })), Promise.resolve());
      <\/script><script src="${address}" onload="done()"><\/script></body>`);
      inside.document.close();
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) })));
    }
    terminate() {}
  };
}
