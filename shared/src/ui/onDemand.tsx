import { Input } from 'antd'
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** Tells if a picker has a value, and describes its placeholder until it loads. */
type Look<P> = {
  isFilled: (props: P) => boolean
  placeholder: string
  width: number
  icon: ReactNode
}
/** Continues the state of the placeholder: with the focus, and open if it was pressed. */
export type Continued = { autoFocus?: boolean; defaultOpen?: boolean }

/**
 * A filter with a large picker: a plain input replaces it until the pointer enters, the focus arrives or it has a
 * value, so that a list can show its first row without it.
 * @example const RegionFilter = onDemand(() => import('@iot/shared/ui/regionFilter'), { isFilled: ({ value }) =>
 * !!value, placeholder: '所在地区', width: 180, icon: <DownOutlined /> })
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
    // The placeholder keeps the focus until the picker can take over.
    const want = () => void load().then((module) => setPicker(() => module.default), setFailure)
    const isWanted = isFilled(props)
    // A picker whose value was cleared stays loaded.
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
