import LeftOutlined from '@ant-design/icons/LeftOutlined'
import RightOutlined from '@ant-design/icons/RightOutlined'
import useEventListener from 'ahooks/es/useEventListener'
import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import useSize from 'ahooks/es/useSize'
import Button from 'antd/es/button'
import Segmented from 'antd/es/segmented'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { matchesWords } from '../contract/matchesWords'
import { visuallyHidden } from './unseen'
import * as styles from './choiceStrip.module.css'
import { Select } from './select'

export type Choice = {
  value: string
  name: string
  /** Text after the name, such as a count. */
  more?: ReactNode
  title?: string
  icon?: ReactNode
}
type ChoiceStripProps = {
  /** The label names the kind of choice, such as 楼层. */
  label: string
  choices: Choice[]
  value: string
  onChange: (value: string) => void
}

/** A strip with more choices also has a search. */
export const maxChoicesWithoutSearch = 12
/** Names up to this length are shown in full. */
const maxNameLength = 16
const tailLength = 6

/** Text that is shortened in its middle if it is long; screen readers receive the full text. */
export const MiddleEllipsis = ({ text }: { text: string }) =>
  text.length <= maxNameLength ? (
    text
  ) : (
    <span className={styles.cut} title={text}>
      <span className={styles.name} aria-hidden>
        <span>{text.slice(0, -tailLength)}</span>
        <span>{text.slice(-tailLength)}</span>
      </span>
      <span style={visuallyHidden}>{text}</span>
    </span>
  )

/**
 * A choice in one row of the available width: the row scrolls, keeps the chosen item visible, and has a search for more
 * than twelve items.
 * @example <ChoiceStrip label="楼栋" choices={[{ value: id, name }]} value={id} onChange={choose} />
 */
export function ChoiceStrip({ label, choices, value, onChange }: ChoiceStripProps) {
  const row = useRef<HTMLDivElement>(null)
  const width = useSize(row)?.width
  const count = choices.length
  const { canGoBack, canGoOn, page: scrollPage } = useRowScroll(row, `${width} ${count}`)
  useLayoutEffect(() => {
    const checkedLabel = row.current?.querySelector(':checked')?.closest('label')
    if (row.current && checkedLabel) scrollIntoRow(row.current, checkedLabel)
  }, [value, width, count])
  const isCut = canGoBack || canGoOn
  const renderStepButton = (direction: 'back' | 'on') => (
    <Button
      type="text"
      size="small"
      icon={direction === 'back' ? <LeftOutlined /> : <RightOutlined />}
      title={direction === 'back' ? `前面的${label}` : `后面的${label}`}
      aria-label={direction === 'back' ? `前面的${label}` : `后面的${label}`}
      // The arrow keys move through the choices themselves, so the button is no tab stop.
      tabIndex={-1}
      disabled={direction === 'back' ? !canGoBack : !canGoOn}
      onClick={() => scrollPage(direction === 'back' ? -1 : 1)}
    />
  )
  return (
    <div className={styles.strip}>
      {isCut && renderStepButton('back')}
      <div ref={row} className={styles.row}>
        <Segmented
          aria-label={label}
          value={value}
          options={choices.map(({ value, name, more, title, icon }) => ({
            value,
            icon,
            label: (
              <span title={title}>
                <MiddleEllipsis text={name} />
                {more && <> {more}</>}
              </span>
            ),
          }))}
          onChange={onChange}
        />
      </div>
      {isCut && renderStepButton('on')}
      {count > maxChoicesWithoutSearch && (
        <Select<string>
          className={styles.find}
          aria-label={`查找${label}`}
          placeholder={`查找${label}`}
          showSearch={{
            filterOption: (typedText, option) => matchesWords(option?.label, typedText),
          }}
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

/** Returns if a row can scroll in either direction, and a function that scrolls by most of its width. */
function useRowScroll(row: React.RefObject<HTMLDivElement | null>, contentKey: string) {
  const [scrollState, setScrollState] = useState({ canGoBack: false, canGoOn: false })
  const measure = useMemoizedFn(() => {
    if (!row.current) return
    const { scrollLeft, scrollWidth, clientWidth } = row.current
    // Widths are rounded to whole pixels, but scroll positions are not.
    const canGoBack = scrollLeft > 1
    const canGoOn = scrollLeft + clientWidth < scrollWidth - 1
    setScrollState((previous) =>
      previous.canGoBack === canGoBack && previous.canGoOn === canGoOn
        ? previous
        : { canGoBack, canGoOn },
    )
  })
  useEventListener('scroll', measure, { target: row })
  // The row is measured after layout, and again when its size or content changes.
  useEffect(() => {
    const frame = requestAnimationFrame(measure)
    return () => cancelAnimationFrame(frame)
  }, [contentKey, measure])
  const scrollPage = (direction: 1 | -1) =>
    row.current?.scrollBy({ left: direction * row.current.clientWidth * 0.8, behavior: 'smooth' })
  return { ...scrollState, page: scrollPage }
}

/** Scrolls the row alone, no element around it, until the chosen item is visible. */
function scrollIntoRow(row: HTMLElement, item: Element) {
  const [rowRect, itemRect] = [row.getBoundingClientRect(), item.getBoundingClientRect()]
  if (itemRect.left < rowRect.left || itemRect.width > rowRect.width)
    row.scrollLeft += itemRect.left - rowRect.left
  else if (itemRect.right > rowRect.right) row.scrollLeft += itemRect.right - rowRect.right
}

/** @deprecated Use {@link MiddleEllipsis}; kept for remotes that were built before. */
export const MiddleCut = MiddleEllipsis
