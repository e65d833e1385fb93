import { useEffect, useRef } from 'react'
import type { Choice } from './choices'
import type { Cascade } from './useCascade'
import * as styles from './regionCascader.module.css'

const columnTitles = ['省', '市', '区县'] as const

/** Province, city and area side by side. `cascade.press` handles the keyboard, because the focus stays in the input. */
export function RegionCascader({ cascade: { columns, path, level, enter } }: { cascade: Cascade }) {
  return (
    <div className={styles.columns}>
      {columnTitles.map((title, columnIndex) => (
        <Column
          key={title}
          title={title}
          choices={columns[columnIndex]!}
          marked={path[columnIndex]}
          isActive={columnIndex === level}
          hint={columnIndex === 1 ? '先选省' : '先选市'}
          onEnter={(choice) => enter(columnIndex, choice)}
        />
      ))}
      <Announcement text={columns[level]!.find(({ code }) => code === path[level])?.name} />
    </div>
  )
}

type ColumnProps = {
  title: string
  choices: Choice[]
  marked?: string
  isActive: boolean
  hint: string
  onEnter: (choice: Choice) => void
}

function Column({ title, choices, marked: markedCode, isActive, hint, onEnter }: ColumnProps) {
  const list = useRef<HTMLUListElement>(null)
  const firstCode = choices[0]?.code
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (list.current) list.current.scrollTop = item ? item.offsetTop - 96 : 0
  }, [firstCode, markedCode])

  return (
    <ul
      ref={list}
      role="listbox"
      aria-label={title}
      data-active={isActive || undefined}
      data-hint={hint}
    >
      {choices.map((choice) => (
        <li
          key={choice.code}
          role="option"
          aria-selected={choice.code === markedCode}
          data-code={choice.code}
          onClick={() => onEnter(choice)}
        >
          {choice.name}
        </li>
      ))}
    </ul>
  )
}

const visuallyHiddenStyle = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const

/** Announces the marked name to a screen reader, whose focus is in the input. */
const Announcement = ({ text }: { text?: string }) => (
  <span aria-live="polite" style={visuallyHiddenStyle}>
    {text}
  </span>
)
