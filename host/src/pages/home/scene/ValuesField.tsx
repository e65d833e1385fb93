import CloseOutlined from '@ant-design/icons/CloseOutlined'
import Button from 'antd/es/button'
import Radio from 'antd/es/radio'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import { formatFunctionName, isOffered } from '@iot/shared/contract/thingModel/deprecation'
import { Select } from '@iot/shared/ui/select'
import { isSimpleProperty, ValueInput } from './ValueInput'
import type { DeviceType } from './useSceneOptions'
import * as styles from './scene.module.css'

type ValuesFieldProps = {
  type?: DeviceType
  value?: Values
  onChange?: (values: Values) => void
  id?: string
}

const brightnessIdentifier = 'Brightness'
const presetText = { on: '打开', off: '关闭', dim: '调亮度' }
type ValuePreset = keyof typeof presetText

/** Returns the preset that these values are, so that at most one is shown as chosen. */
function findPreset(values: Values): ValuePreset | undefined {
  const { [lightSwitchIdentifier]: switchValue, ...others } = values
  const otherNames = Object.keys(others).join()
  if (otherNames === '' && switchValue === 0) return 'off'
  if (switchValue !== 1) return undefined
  return otherNames === '' ? 'on' : otherNames === brightnessIdentifier ? 'dim' : undefined
}

const getStartValue = (specs: object) => {
  const { max, min } = specs as { max?: number; min?: number }
  return max ?? min ?? 1
}

/** Edits the values of an action, one for each chosen property. */
export function ValuesField({ type, value = {}, onChange, id }: ValuesFieldProps) {
  const writableProperties = (type?.properties ?? []).filter(
    (property) => property.accessMode !== 'r' && isSimpleProperty(property),
  )
  const unusedProperties = writableProperties.filter(
    (property) => !(property.identifier in value) && isOffered(property),
  )
  const propertyById = new Map(
    writableProperties.map((property) => [property.identifier, property]),
  )
  const omitValue = (name: string) =>
    Object.fromEntries(Object.entries(value).filter(([one]) => one !== name))
  const getFirstValue = (name: string) => {
    const { dataType } = propertyById.get(name)!
    return dataType.type === 'bool'
      ? 1
      : dataType.type === 'enum'
        ? Number(Object.keys(dataType.specs)[0])
        : dataType.type === 'text' || dataType.type === 'date'
          ? ''
          : getStartValue(dataType.type === 'bitmap' ? {} : dataType.specs)
  }
  /** A preset replaces all values, so that no former choice contradicts it. */
  const choosePreset = (preset: ValuePreset) =>
    onChange?.({
      [lightSwitchIdentifier]: preset === 'off' ? 0 : 1,
      ...(preset === 'dim' && {
        [brightnessIdentifier]: value[brightnessIdentifier] ?? getFirstValue(brightnessIdentifier),
      }),
    })
  const canChoose = (name: string) => {
    const property = propertyById.get(name)
    return property !== undefined && isOffered(property, Object.keys(value))
  }
  const presets = (Object.keys(presetText) as ValuePreset[]).filter(
    (preset) => preset !== 'dim' || canChoose(brightnessIdentifier),
  )

  return (
    <div className={styles.values} id={id} tabIndex={-1}>
      {canChoose(lightSwitchIdentifier) && (
        <Radio.Group
          aria-label="常用设置"
          optionType="button"
          options={presets.map((preset) => ({ value: preset, label: presetText[preset] }))}
          value={findPreset(value) ?? null}
          onChange={({ target }) => choosePreset(target.value as ValuePreset)}
        />
      )}
      {Object.entries(value).map(([name, one]) => {
        const property = propertyById.get(name)
        return (
          <span key={name} className={styles.value}>
            {property ? formatFunctionName(property) : name}
            {property ? (
              <ValueInput
                property={property}
                value={one}
                onChange={(next) => next !== undefined && onChange?.({ ...value, [name]: next })}
              />
            ) : (
              <strong>{one}</strong>
            )}
            <Button
              type="text"
              size="small"
              icon={<CloseOutlined />}
              aria-label={`不设置${property?.name ?? name}`}
              onClick={() => onChange?.(omitValue(name))}
            />
          </span>
        )
      })}
      {unusedProperties.length > 0 && (
        <Select
          aria-label="添加功能"
          placeholder="添加功能"
          value={null}
          style={{ width: 120 }}
          popupMatchSelectWidth={false}
          options={unusedProperties.map(({ identifier, name }) => ({
            value: identifier,
            label: name,
          }))}
          onChange={(name: string) => onChange?.({ ...value, [name]: getFirstValue(name) })}
        />
      )}
    </div>
  )
}
