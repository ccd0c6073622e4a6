// The image that was chosen, in its field and in what the payer sees. It is drawn: the policy of the
// page allows no addresses of files. Without this file the field has the name and the size alone.
"use strict";
(() => {
  const SIDE = 320;
  const preview = document.querySelector("[data-preview-picture]");
  const kept = document.querySelector("[data-preview-kept]");
  const input = document.querySelector("[data-file-zone] input");
  const thumbnail = document.createElement("canvas");
  thumbnail.className = "link-thumbnail";
  thumbnail.hidden = true;
  input.parentNode.querySelector("[data-file-chosen]").before(thumbnail);

  async function draw() {
    const [file] = input.files;
    const picture = file?.type.startsWith("image/") && await createImageBitmap(file).catch(() => null);
    if (input.files[0] !== file) return; // another one has been chosen
    for (const canvas of [thumbnail, preview]) {
      canvas.hidden = !picture;
      if (!picture) continue;
      const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
      canvas.width = Math.max(1, Math.round(picture.width * scale));
      canvas.height = Math.max(1, Math.round(picture.height * scale));
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    }
    if (kept) kept.hidden = Boolean(picture);
  }

  input.addEventListener("change", draw);
  draw(); // after the button of the browser that goes back
})();
