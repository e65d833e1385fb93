import { getLampRadius, size, type Candidate } from './candidate'

const classNames = ['on', 'off', 'offline', 'fault']
const createSvgElement = (
  name: string,
  attributes: Record<string, string | number>,
  parent: Element,
) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const key of Object.keys(attributes)) element.setAttribute(key, String(attributes[key]))
  return parent.appendChild(element)
}

/** Draws the same SVG for a lamp as the floor plan does, without React. */
export const draw: Candidate = (frame, lamps) => {
  frame.insertAdjacentHTML(
    'beforeend',
    `<style>
      .steady { transform: scale(var(--unit)) }
      .body { fill: #fff; stroke: #8c8c8c; stroke-width: 2 }
      .reach { fill: transparent } .halo { fill: none }
      .on .body { fill: #ffc53d; stroke: #d48806 } .on .halo { fill: rgba(255, 197, 61, 0.28) }
      .offline .body { fill: none; stroke: #ff4d4f } .fault .body { stroke: #ff4d4f }
    </style>`,
  )
  const root = createSvgElement(
    'svg',
    { ...size, viewBox: `0 0 ${size.width} ${size.height}` },
    frame,
  )
  const viewGroup = createSvgElement('g', {}, root)
  const lampElements = lamps.map(({ x, y, look }) => {
    const translation = `translate(${x * size.width} ${y * size.height})`
    const lamp = createSvgElement(
      'g',
      { class: classNames[look]!, transform: translation, tabindex: 0 },
      viewGroup,
    )
    const steady = createSvgElement('g', { class: 'steady' }, lamp)
    createSvgElement('circle', { class: 'reach', r: 16 }, steady)
    createSvgElement('circle', { class: 'halo', r: 15 }, steady)
    createSvgElement('circle', { class: 'body', r: 8.5 }, steady)
    return lamp
  })
  return {
    change: (changedIndexes) =>
      changedIndexes.forEach((n) =>
        lampElements[n]!.setAttribute('class', classNames[lamps[n]!.look]!),
      ),
    view(scale, offsetX, offsetY) {
      viewGroup.setAttribute('transform', `translate(${offsetX} ${offsetY}) scale(${scale})`)
      const unit = getLampRadius(scale, lamps.length) / 8.5 / scale
      ;(root as SVGElement).style.setProperty('--unit', String(unit))
    },
  }
}
