import { uploadLimits } from '@iot/shared/contract/upload'

type Look = Record<string, string>

const drawn =
  /^((fill|stroke)(-(rule|opacity|width|linecap|linejoin|dasharray|dashoffset|miterlimit))?|(stop-)?(opacity|color)|clip-rule|display|visibility|font-(family|size|weight)|letter-spacing|text-anchor|dominant-baseline)$/
const longest = 100

function declarations(text: string): Look {
  const look: Look = {}
  for (const one of text.split(';')) {
    const at = one.indexOf(':')
    const name = one.slice(0, Math.max(at, 0)).trim()
    const value = one.slice(at + 1).replace(/!\s*important/i, '')
    if (drawn.test(name) && value.length <= longest) look[name] = value.trim()
  }
  return look
}

const withoutComments = (css: string) =>
  css
    .split('/*')
    .map((part, index) => (index > 0 ? part.slice(part.indexOf('*/') + 2) : part))
    .join('')

/** What the style elements of a drawing say of a kind of element, a class or an id alone. */
function rulesOf(svg: string) {
  const rules = new Map<string, Look>()
  for (const element of svg.split('<style').slice(1)) {
    const css = element.slice(element.indexOf('>') + 1, element.indexOf('</style'))
    for (const rule of withoutComments(css.replace('<![CDATA[', '')).split('}')) {
      const [selectors, body] = rule.split('{').slice(-2)
      if (body === undefined) continue
      const look = declarations(body)
      for (const selector of selectors!.slice(selectors!.lastIndexOf(';') + 1).split(','))
        rules.set(selector.trim(), { ...rules.get(selector.trim()), ...look })
    }
  }
  return rules
}

/**
 * Drawing programs write colours and lines as styles. Answers what gives an element those as attributes, which is all
 * that is kept of them. Nothing here takes more than linear time, and a small file does not grow into a huge one.
 */
export function drawnStyle(svg: string) {
  const rules = rulesOf(svg)
  let room = uploadLimits.bytes
  return (tagName: string, { style = '', ...given }: Look): Look => {
    const classes = (given.class ?? '').split(/\s+/).slice(0, 20)
    const look = Object.assign(
      { ...rules.get(tagName) },
      ...classes.map((name) => rules.get(`.${name}`)),
      rules.get(`#${given.id}`),
      declarations(style),
    ) as Look
    for (const [name, value] of Object.entries(look)) room -= name.length + value.length
    return room < 0 ? given : { ...given, ...look }
  }
}
