import { Input } from 'antd'
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** What tells that a picker holds something already, and how its place looks until it is there. */
type Look<P> = {
  isFilled: (props: P) => boolean
  placeholder: string
  width: number
  icon: ReactNode
}
/** The picker goes on where its place was: with the focus, and open if it was pressed. */
export type Continued = { autoFocus?: boolean; defaultOpen?: boolean }

/**
 * A filter whose picker is large: a plain box stands in its place until it is pointed at, focused, or holds a value.
 * So a list shows its first row without it.
 * @example const RegionFilter = onDemand(() => import('@iot/shared/ui/regionFilter'), { isFilled: ({ value }) => !!value, placeholder: '所在地区', width: 180, icon: <DownOutlined /> })
 */
export function onDemand<P extends object>(
  load: () => Promise<{ default: ComponentType<P & Continued> }>,
  { isFilled, placeholder, width, icon }: Look<P>,
) {
  return function OnDemand(props: P) {
    const [Picker, setPicker] = useState<ComponentType<P & Continued>>()
    const [failure, setFailure] = useState<unknown>()
    const [isFocused, setFocused] = useState(false)
    const [isPressed, setPressed] = useState(false)
    // The box, and the focus in it, stay until the picker can take over.
    const want = () => void load().then((module) => setPicker(() => module.default), setFailure)
    const isWanted = isFilled(props)
    // A picker that was emptied stays.
    useEffect(() => (isWanted ? want() : undefined), [isWanted])
    if (failure !== undefined) throw failure
    if (Picker) return <Picker {...props} autoFocus={isFocused} defaultOpen={isPressed} />
    return (
      <Input
        readOnly
        placeholder={placeholder}
        aria-label={placeholder}
        style={{ width, maxWidth: '100%' }}
        suffix={
          <span style={{ fontSize: 12, color: 'var(--ant-color-text-quaternary)' }}>{icon}</span>
        }
        onPointerEnter={want}
        onPointerDown={() => setPressed(true)}
        onFocus={() => {
          setFocused(true)
          want()
        }}
        onBlur={() => {
          setFocused(false)
          setPressed(false)
        }}
      />
    )
  }
}
