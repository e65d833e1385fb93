import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { useEventListener, useMemoizedFn, useSize } from 'ahooks'
import { Button, Segmented, Select } from 'antd'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { matchesWords } from '../contract/matchesWords'
import { unseen } from './unseen'
import * as styles from './choiceStrip.module.css'

export type Choice = {
  value: string
  name: string
  /** Said beside the name, such as a count. */
  more?: ReactNode
  title?: string
  icon?: ReactNode
}
type ChoiceStripProps = {
  /** What is chosen, such as 楼层. */
  label: string
  choices: Choice[]
  value: string
  onChange: (value: string) => void
}

/** More choices than these are also found by typing. */
export const maxChoicesWithoutSearch = 12
/** Names up to so many letters are drawn whole. */
const maxNameLength = 16
const tailLength = 6

/** A name that is cut in its middle where it is long; for screen readers it is whole. */
export const MiddleCut = ({ text }: { text: string }) =>
  text.length <= maxNameLength ? (
    text
  ) : (
    <span className={styles.cut} title={text}>
      <span className={styles.name} aria-hidden>
        <span>{text.slice(0, -tailLength)}</span>
        <span>{text.slice(-tailLength)}</span>
      </span>
      <span style={unseen}>{text}</span>
    </span>
  )

/**
 * One choice among few or many, in one row as wide as its place: what does not fit scrolls, the chosen one is kept in
 * sight, and more than twelve can be searched.
 * @example <ChoiceStrip label="楼栋" choices={[{ value: id, name }]} value={id} onChange={choose} />
 */
export function ChoiceStrip({ label, choices, value, onChange }: ChoiceStripProps) {
  const row = useRef<HTMLDivElement>(null)
  const width = useSize(row)?.width
  const count = choices.length
  const { canGoBack, canGoOn, page } = useRowScroll(row, `${width} ${count}`)
  useLayoutEffect(() => {
    const chosen = row.current?.querySelector(':checked')?.closest('label')
    if (row.current && chosen) keepInSight(row.current, chosen)
  }, [value, width, count])
  const isCut = canGoBack || canGoOn
  const step = (way: 'back' | 'on') => (
    <Button
      type="text"
      size="small"
      icon={way === 'back' ? <LeftOutlined /> : <RightOutlined />}
      title={way === 'back' ? `前面的${label}` : `后面的${label}`}
      aria-label={way === 'back' ? `前面的${label}` : `后面的${label}`}
      // The arrow keys walk through the choices themselves.
      tabIndex={-1}
      disabled={way === 'back' ? !canGoBack : !canGoOn}
      onClick={() => page(way === 'back' ? -1 : 1)}
    />
  )
  return (
    <div className={styles.strip}>
      {isCut && step('back')}
      <div ref={row} className={styles.row}>
        <Segmented
          aria-label={label}
          value={value}
          options={choices.map(({ value, name, more, title, icon }) => ({
            value,
            icon,
            label: (
              <span title={title}>
                <MiddleCut text={name} />
                {more && <> {more}</>}
              </span>
            ),
          }))}
          onChange={onChange}
        />
      </div>
      {isCut && step('on')}
      {count > maxChoicesWithoutSearch && (
        <Select<string>
          className={styles.find}
          aria-label={`查找${label}`}
          placeholder={`查找${label}`}
          showSearch={{ filterOption: (typed, option) => matchesWords(option?.label, typed) }}
          popupMatchSelectWidth={280}
          notFoundContent={`没有匹配的${label}`}
          value={null}
          options={choices.map(({ value, name }) => ({ value, label: name, title: name }))}
          onChange={onChange}
        />
      )}
    </div>
  )
}

/** Whether there is more on either side of a row, and a step of nearly its width. */
function useRowScroll(row: React.RefObject<HTMLDivElement | null>, change: string) {
  const [ends, setEnds] = useState({ canGoBack: false, canGoOn: false })
  const measure = useMemoizedFn(() => {
    if (!row.current) return
    const { scrollLeft, scrollWidth, clientWidth } = row.current
    // Widths are rounded to whole pixels, positions are not.
    const canGoBack = scrollLeft > 1
    const canGoOn = scrollLeft + clientWidth < scrollWidth - 1
    setEnds((before) =>
      before.canGoBack === canGoBack && before.canGoOn === canGoOn
        ? before
        : { canGoBack, canGoOn },
    )
  })
  useEventListener('scroll', measure, { target: row })
  // Measured once the browser has laid the row out, and again when its size or what it holds changes.
  useEffect(() => {
    const frame = requestAnimationFrame(measure)
    return () => cancelAnimationFrame(frame)
  }, [change, measure])
  const page = (way: 1 | -1) =>
    row.current?.scrollBy({ left: way * row.current.clientWidth * 0.8, behavior: 'smooth' })
  return { ...ends, page }
}

/** Scrolls the row, and nothing around it, as far as the chosen one needs. */
function keepInSight(row: HTMLElement, chosen: Element) {
  const [within, at] = [row.getBoundingClientRect(), chosen.getBoundingClientRect()]
  if (at.left < within.left || at.width > within.width) row.scrollLeft += at.left - within.left
  else if (at.right > within.right) row.scrollLeft += at.right - within.right
}
