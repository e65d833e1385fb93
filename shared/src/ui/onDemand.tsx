import Input from 'antd/es/input'
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** Tells if a picker has a value, and describes its placeholder until it loads. */
type PlaceholderOptions<P> = {
  isFilled: (props: P) => boolean
  placeholder: string
  width: number
  icon: ReactNode
}
/** Continues the state of the placeholder: with the focus, and open if it was pressed. */
export type PickerInitialState = { autoFocus?: boolean; defaultOpen?: boolean }

/**
 * A filter with a large picker: a plain input replaces it until the pointer enters, the focus arrives or it has a
 * value, so that a list can show its first row without it.
 * @example const RegionFilter = createLazyPicker(() => import('@iot/shared/ui/regionFilter'), { isFilled: ({ value }) =>
 * !!value, placeholder: '所在地区', width: 180, icon: <DownOutlined /> })
 */
export function createLazyPicker<P extends object>(
  load: () => Promise<{ default: ComponentType<P & PickerInitialState> }>,
  { isFilled, placeholder, width, icon }: PlaceholderOptions<P>,
) {
  return function OnDemand(props: P) {
    const [Picker, setPicker] = useState<ComponentType<P & PickerInitialState>>()
    const [failure, setFailure] = useState<Error>()
    const [isFocused, setFocused] = useState(false)
    const [isPressed, setPressed] = useState(false)
    // The placeholder keeps the focus until the picker can take over.
    const loadPicker = () =>
      void load().then((module) => setPicker(() => module.default), setFailure)
    const shouldLoad = isFilled(props)
    // A picker whose value was cleared stays loaded.
    useEffect(() => (shouldLoad ? loadPicker() : undefined), [shouldLoad])
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
        onPointerEnter={loadPicker}
        onPointerDown={() => setPressed(true)}
        onFocus={() => {
          setFocused(true)
          loadPicker()
        }}
        onBlur={() => {
          setFocused(false)
          setPressed(false)
        }}
      />
    )
  }
}

/** @deprecated Use {@link PickerInitialState}; kept for remotes that were built before. */
export type Continued = PickerInitialState

/** @deprecated Use {@link createLazyPicker}; kept for remotes that were built before. */
export const onDemand = createLazyPicker
