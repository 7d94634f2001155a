// pdf.mjs - a PDF to upload: pages of lines, in Helvetica.
const WIDTH = 595, HEIGHT = 842, MARGIN = 60, SIZE = 16;
const escape = (text) => text.replace(/[\\()]/g, '\\$&');

function contentOf(lines) {
  const shown = lines.map((line) => `(${escape(line)}) Tj T*`).join(' ');
  return `BT /F1 ${SIZE} Tf ${1.5 * SIZE} TL ${MARGIN} ${HEIGHT - MARGIN} Td ${shown} ET`;
}

/** `pages` is a list of lists of lines; `labels` what a catalog says of them. */
export function pdfOf(pages, labels = '') {
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ');
  const objects = [`<< /Type /Catalog /Pages 2 0 R ${labels} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, i) => {
      const content = contentOf(lines);
      return [`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${5 + 2 * i} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`];
    })];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}` +
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`);
}

/** A form with such a file. */
export function pdfForm(pages, fields = {}, labels = '') {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([pdfOf(pages, labels)], { type: 'application/pdf' }), 'boiler.pdf');
  return form;
}
