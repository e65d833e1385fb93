import postcss from 'postcss'

/** Maximum of style characters; no drawing program writes more. */
const maxCssChars = 1024 * 1024
const maxSelectors = 5000
/** Maximum of compounds in a selector, because each may be matched against the whole depth of the drawing. */
const maxCompounds = 8

const harmlessFunctions = new Set(
  'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark var calc min max clamp matrix matrix3d translate translatex translatey translate3d translatez rotate rotatex rotatey rotatez rotate3d scale scalex scaley scalez perspective skew skewx skewy blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia path polygon circle ellipse inset'.split(
    ' ',
  ),
)
const moving = /^(-\w+-)?(animation|transition)/
const outside = /^(behavior|-moz-binding|cursor|src)$/
const localUrl = /url\(\s*(["']?)#([^"'()\s\\]+)\1\s*\)/gi

/** Decodes the name in `#name` as a browser does; returns undefined if it can be read in two ways. */
export function readFragment(fragment) {
  try {
    const name = decodeURIComponent(fragment)
    return /^[^\s"'()%\\<>&#]+$/.test(name) ? name : undefined
  } catch {
    return undefined
  }
}

/** Decodes CSS escapes such as `\66 ill`. */
const unescapeCss = (text) =>
  text.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex, other) =>
    hex ? String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)) : other,
  )

/**
 * Reads a value that refers only into the drawing: `{ value, references, usesVariable }`, or `{ omit }` with the kind
 * to
 * report. Functions that are not known to be harmless are omitted, because they may load external content.
 */
export function readValue(value) {
  const references = []
  let isAmbiguous = false
  const local = value.replace(localUrl, (_, _quote, fragment) => {
    const name = readFragment(fragment)
    if (name === undefined) isAmbiguous = true
    references.push(name)
    return `url(#${name})`
  })
  const rest = unescapeCss(local.replace(localUrl, ' '))
  const names = [...rest.matchAll(/([\w-]*)\(/g)].map(([, name]) => name.toLowerCase())
  const hasOther = names.some((name) => name && !harmlessFunctions.has(name))
  if (isAmbiguous || /\burl\(|\bimage(-set)?\(|\bsrc\(/i.test(rest))
    return { omit: '外部引用', example: value }
  if (hasOther || /[{}]/.test(rest) || (value.includes('\\') && names.length > 0))
    return { omit: '样式值', example: value }
  return { value: local, references, usesVariable: names.includes('var') }
}

/** Reads one declaration; returns `{ omit }` with its kind if it cannot be kept. */
function readDeclaration({ prop, value, important }) {
  const name = prop.startsWith('--') ? prop : prop.toLowerCase()
  if (!/^-{0,2}[a-z_][\w-]*$/i.test(prop)) return { omit: '样式', example: prop }
  if (moving.test(name)) return { omit: '动画', example: prop }
  if (outside.test(name)) return { omit: '样式', example: prop }
  // A variable may use only one other, because nested variables grow exponentially.
  if (name.startsWith('--') && value.split('var(').length > 2)
    return { omit: '样式变量', example: prop }
  const read = readValue(value)
  if (read.omit) return read
  return { ...read, name, css: `${prop}:${read.value}${important ? '!important' : ''}` }
}

const identifier = '-{0,2}[\\p{L}_][\\p{L}\\p{N}_-]*'
const selectorPart = new RegExp(
  [
    '(?<combinator>\\s*[>+~]\\s*|\\s+)',
    '\\*',
    `(?<key>[.#]?${identifier})`,
    `\\[\\s*${identifier}\\s*([~|^$*]?=\\s*("[^"]*"|'[^']*'|${identifier})\\s*)?\\]`,
    ':(root|empty|(first|last|only)-(child|of-type)|(nth-(last-)?(child|of-type))\\([\\w\\s+-]*\\))',
    `:(not|is|where)\\(\\s*[.#]?${identifier}\\s*\\)`,
  ]
    .map((part) => `(?:${part})`)
    .join('|'),
  'uy',
)

/** Returns the key that finds the elements a selector may match; undefined if the selector is not supported. */
function readSelector(selector) {
  selectorPart.lastIndex = 0
  let keys = []
  let compounds = 1
  while (selectorPart.lastIndex < selector.length) {
    const match = selectorPart.exec(selector)
    if (!match) return undefined
    if (match.groups.combinator !== undefined) {
      keys = []
      if (++compounds > maxCompounds) return undefined
    } else if (match.groups.key) keys.push(match.groups.key)
  }
  return keys.find((key) => key[0] === '#') ?? keys.find((key) => key[0] === '.') ?? keys[0] ?? '*'
}

/** Key of elements with an attribute that uses a variable. */
export const variableKey = '(var)'

const atRules = {
  import: '外部样式表',
  'font-face': '字体',
  keyframes: '动画',
}

/**
 * Reads the style sheets and `style` attributes of a drawing and removes animations and external content. Removed parts
 * are reported to `omit(kind, example)`, references to the drawn parts.
 */
export function createStyleReader(omit, parts) {
  const attributes = new Map()
  const variableReferences = new Set()
  const keysWithVariables = new Set([variableKey])
  let chars = 0
  let selectorCount = 0

  function keepDeclarations(nodes) {
    const kept = { css: [], references: [], usesVariable: false }
    for (const node of nodes) {
      if (node.type === 'comment') continue
      const read =
        node.type === 'decl' ? readDeclaration(node) : { omit: '样式规则', example: node.selector }
      if (read.omit) {
        omit(read.omit, read.example)
        continue
      }
      kept.css.push(read.css)
      if (read.name.startsWith('--'))
        for (const reference of read.references) variableReferences.add(reference)
      else kept.references.push(...read.references)
      if (read.usesVariable) kept.usesVariable = true
    }
    return kept
  }

  function keepRule(rule) {
    const kept = keepDeclarations(rule.nodes)
    const selectors = []
    for (const selector of rule.selectors) {
      const key =
        selector.length <= 500 && ++selectorCount <= maxSelectors && readSelector(selector)
      if (!key) {
        omit('样式选择器', selector)
        continue
      }
      selectors.push(selector)
      parts.addStyleReferences(key, kept.references)
      if (kept.usesVariable) keysWithVariables.add(key)
    }
    return selectors.length > 0 && kept.css.length > 0
      ? `${selectors.join(',')}{${kept.css.join(';')}}`
      : ''
  }
  function keepNodes(nodes, isInside = false) {
    return nodes
      .map((node) => {
        if (node.type === 'rule') return keepRule(node)
        if (node.type === 'comment') return ''
        const name = node.type === 'atrule' ? node.name.toLowerCase().replace(/^-\w+-/, '') : ''
        if (name === 'charset') return ''
        if (name === 'media' && !isInside && node.nodes && /^[\w\s():.,<>=/-]+$/.test(node.params))
          return `@media ${node.params}{${keepNodes(node.nodes, true)}}`
        omit(atRules[name] ?? '样式规则', name ? `@${node.name}` : node.prop)
        return ''
      })
      .join('')
  }

  function parse(css) {
    chars += css.length
    if (chars > maxCssChars) return undefined
    try {
      return postcss.parse(css)
    } catch {
      return undefined
    }
  }

  return {
    /** Returns the kept part of a style sheet. */
    readSheet(css) {
      const root = parse(css)
      if (!root) {
        omit('样式表')
        return ''
      }
      return keepNodes(root.nodes)
    },
    /**
     * Returns the kept part of a `style` attribute. Results are cached, because drawing programs repeat the same one
     * thousands of times.
     */
    readAttribute(style) {
      const known = attributes.get(style)
      if (known) return known
      const rule = parse(`a{${style}}`)?.nodes
      const isOne = rule?.length === 1 && rule[0].type === 'rule'
      if (!isOne) omit('样式', style)
      const { css, references, usesVariable } = keepDeclarations(isOne ? rule[0].nodes : [])
      const kept = { css: css.join(';'), references, usesVariable }
      attributes.set(style, kept)
      return kept
    },
    /** Must be called after everything was read, because a variable may be defined after its use. */
    finish() {
      for (const key of keysWithVariables) parts.addStyleReferences(key, variableReferences)
    },
  }
}
