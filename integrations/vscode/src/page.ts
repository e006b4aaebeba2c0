// The page beside the source: a finding's memory or schedule, and its words.

export interface Picture {
  heading: string;
  title: string;
  svg: string;
}

/** Text that is text in HTML, in attributes too. */
export function escape(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (char) => names[char] ?? char);
}

/**
 * A page on which nothing runs and which loads nothing: the drawing is an image in the page itself, so whatever stands in it
 * is not part of the document.
 */
export function page(title: string, words: string, picture: Picture | null): string {
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  const image = picture
    ? `<h2>${escape(picture.heading)}</h2><img alt="${escape(picture.heading)}" src="data:image/svg+xml;base64,${Buffer.from(picture.svg, "utf8").toString("base64")}">`
    : "";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escape(title)}</title>
<style>
body { padding: 0.5rem 1rem; color: var(--vscode-foreground); }
h1 { font-size: 1.2rem; } h2 { font-size: 1rem; font-weight: 600; }
img { max-width: 100%; background: #ffffff; border-radius: 4px; padding: 8px; }
pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); white-space: pre; overflow-x: auto; }
</style>
</head>
<body>
<h1>${escape(title)}</h1>
${image}
<pre>${escape(words)}</pre>
</body>
</html>
`;
}
