import { formatShortTime, formatPageTime } from '@iot/shared/client/zone'
import type { Handover } from '@iot/shared/contract/control/handover.schema'
import { formatOverride } from '@iot/shared/plan/lights'

const formatTime = (time: string) => formatPageTime(time, 'YYYY-MM-DD HH:mm')

/** Lists the lines of the printed record by heading. */
export const buildHandoverRecord = (handover: Handover): [string, string[]][] => {
  const { problems, problemCount, overrides, takenTime } = handover
  const remainingCount = problemCount - problems.length
  return [
    ['班次', [`${formatTime(handover.shiftStart)} – ${formatTime(handover.shiftEnd)}`]],
    ['交班', [`${handover.givenByName} · ${formatTime(handover.givenTime)}`]],
    ['接班', [takenTime ? `${handover.takenByName} · ${formatTime(takenTime)}` : '待接班确认']],
    ['交班说明', [handover.note || '无']],
    [
      `未恢复的告警 ${problemCount}`,
      [
        ...problems.map(({ title, place, since }) =>
          [formatShortTime(since), !title.startsWith(place) && place, title]
            .filter(Boolean)
            .join(' · '),
        ),
        ...(remainingCount > 0 ? [`其余 ${remainingCount} 条见告警列表`] : []),
      ],
    ],
    [
      `手动保持 ${overrides.length}`,
      overrides.map((override) =>
        [
          [override.parentPlace, override.place].filter(Boolean).join(' '),
          formatOverride(override),
          override.reason,
        ]
          .filter(Boolean)
          .join(' · '),
      ),
    ],
  ]
}

/** Prints a hand-over from a hidden frame, so that nothing else of the page is printed. */
export function printHandover(handover: Handover) {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position: fixed; width: 0; height: 0; border: 0'
  frame.title = '打印交接班记录'
  document.body.append(frame)
  const page = frame.contentDocument!
  page.title = '交接班记录'
  const addText = (tag: 'h1' | 'h2' | 'p', text: string) => {
    const element = page.createElement(tag)
    element.textContent = text
    element.style.cssText = `font: ${tag === 'h1' ? 'bold 20px' : tag === 'h2' ? 'bold 14px' : '14px'} sans-serif; white-space: pre-wrap; margin: ${tag === 'p' ? '4px' : '16px'} 0 0`
    page.body.append(element)
  }
  addText('h1', '交接班记录')
  for (const [heading, lines] of buildHandoverRecord(handover)) {
    addText('h2', heading)
    for (const line of lines) addText('p', line)
  }
  const view = frame.contentWindow!
  view.addEventListener('afterprint', () => frame.remove())
  view.focus()
  view.print()
}
