// What a look at the page finds; evaluated by the tests in the page, of which it is no part.
() => {
  const visible = element => element.getClientRects().length > 0;
  const box = element => element.getBoundingClientRect();
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const found = rgba(getComputedStyle(at).backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255, 255];
  };
  const contrast = (element, colour) => {
    const [light, dark] = [luminance(rgba(colour)), luminance(ground(element))].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const found = {
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    incomplete: [], overlaps: [], outside: [], faint: [], smallest: Infinity, figures: 0,
    dark: luminance(ground(document.body)) < 0.2,
  };
  for (const figure of [...document.querySelectorAll("figure")].filter(visible)) {
    found.figures += 1;
    const texts = [...figure.querySelectorAll("svg text")];
    const name = figure.querySelector("svg").getAttribute("aria-label");
    for (const role of ["title", "legend", "axis-title", "tick-x"])
      if (!texts.some(text => text.classList.contains(role) && text.textContent.trim())) found.incomplete.push([name, role]);
    const frame = box(figure.querySelector("svg"));
    const boxes = texts.map(text => [text.textContent, box(text)]);
    for (const [text, at] of boxes) {
      found.smallest = Math.min(found.smallest, at.height);
      if (at.left < frame.left - 1 || at.right > frame.right + 1 || at.top < frame.top - 1 || at.bottom > frame.bottom + 1)
        found.outside.push([name, text]);
    }
    const scale = frame.width / 460; // a box is as high as its font's line; letters of neighbouring lines are further apart
    boxes.forEach(([text, a], n) => boxes.slice(n + 1).forEach(([other, b]) => {
      const slack = 3 * scale;
      if (a.left < b.right && b.left < a.right && a.top + slack < b.bottom && b.top + slack < a.bottom) found.overlaps.push([name, text, other]);
    }));
    for (const text of texts) {
      const ratio = contrast(text, getComputedStyle(text).fill);
      if (ratio < 4.5) found.faint.push([name, text.textContent, ratio]);
    }
  }
  for (const element of [...document.querySelectorAll("h1,h2,h3,h4,p,th,td,dt,dd,pre,code,summary,figcaption,caption,footer,a,.bad,.good")].filter(visible)) {
    const ratio = contrast(element, getComputedStyle(element).color);
    if (ratio < 4.5) found.faint.push([element.tagName, element.textContent.slice(0, 40), ratio]);
  }
  return found;
}
