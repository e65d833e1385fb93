import { useEffect, useRef } from 'react'
import type { Choice } from './choices'
import type { Cascade } from './useCascade'
import * as styles from './regionCascader.module.css'

const titles = ['省', '市', '区县'] as const

/** Province, city and area side by side. `cascade.press` handles the keyboard, because the focus stays in the input. */
export function RegionCascader({ cascade: { columns, path, level, enter } }: { cascade: Cascade }) {
  return (
    <div className={styles.columns}>
      {titles.map((title, at) => (
        <Column
          key={title}
          title={title}
          choices={columns[at]!}
          marked={path[at]}
          isActive={at === level}
          hint={at === 1 ? '先选省' : '先选市'}
          onEnter={(choice) => enter(at, choice)}
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

function Column({ title, choices, marked, isActive, hint, onEnter }: ColumnProps) {
  const list = useRef<HTMLUListElement>(null)
  const first = choices[0]?.code
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (list.current) list.current.scrollTop = item ? item.offsetTop - 96 : 0
  }, [first, marked])

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
          aria-selected={choice.code === marked}
          data-code={choice.code}
          onClick={() => onEnter(choice)}
        >
          {choice.name}
        </li>
      ))}
    </ul>
  )
}

const hidden = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const

/** Announces the marked name to a screen reader, whose focus is in the input. */
const Announcement = ({ text }: { text?: string }) => (
  <span aria-live="polite" style={hidden}>
    {text}
  </span>
)
