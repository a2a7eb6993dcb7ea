// Keeps the screen on where a browser gives no wake lock, which is by plain http: by a video without picture
// or sound. docs/browsers.md says where that was tried.
import { html } from "./draw.js";

/* The video is as large as the page, for Chromium counts no small one without sound. It does not `loop`:
   WebKit lets the screen go dark then. Both files are 4 s of black with a silent track, made here by
   ffmpeg -f lavfi -i color=c=black:s=64x64:r=1:d=4 -f lavfi -i anullsrc=r=8000:cl=mono -t 4 */
export function play() {
  const video = html(
    "video.awake",
    { "aria-hidden": "true", tabindex: -1 },
    ["webm", "mp4"].map(kind =>
      html("source", { src: `static/common/awake.${kind}`, type: `video/${kind}` }),
    ),
  );
  video.muted = true;
  video.setAttribute("playsinline", "");
  const start = () => video.play();
  video.addEventListener("ended", start);
  document.body.append(video);
  // a browser that saves power may want a touch first
  start().catch(() => addEventListener("pointerdown", start, { once: true }));
}
