import { Form } from 'antd'
import { useImperativeHandle, useRef, type ComponentProps, type Ref } from 'react'
import type { ThingFunction } from '@iot/shared/contract/modelDifference'
import { fieldOf } from '@iot/shared/contract/readModel'
import { DataType, Param, Property } from '@iot/shared/contract/thingModel'
import { FormGroup, wholeLine } from '@iot/shared/ui/formDialog'
import { SwitchItem } from '@iot/shared/ui/items'
import { ControlPreview } from './ControlPreview'
import { ParamsField } from './ParamsField'
import { TypeField } from './TypeField'
import type { FunctionDraft } from './useSendFunction'

const params = Param.array()
/** Validates a data type or a parameter list and names the location of the first error. */
const check = (schema: typeof DataType | typeof params) => ({
  validator: async (_: unknown, value: unknown) => {
    const { error } = schema.safeParse(value)
    const issue = error?.issues[0]
    if (!issue) return
    const at = issue.path.find((part) => typeof part === 'number')
    const place = at === undefined ? '' : `第 ${Number(at) + 1} 项的`
    const field = fieldOf(issue.path)
    // Most messages already name their field, so the name is added only if it is missing.
    const said = issue.message.includes(field) ? issue.message : `${field}：${issue.message}`
    throw new Error(place + said)
  },
})

/** Returns the first error once the form shows it, so that the affected input can be marked. */
const useWrong = (schema: Parameters<typeof check>[0], value: unknown) =>
  Form.Item.useStatus().errors.length > 0 ? schema.safeParse(value).error?.issues[0] : undefined

type Focused = { nativeElement: HTMLElement | null; focus: () => void }
/** Lets the form focus the first invalid input of a composite field. */
function useFirstWrong(ref: Ref<Focused> | undefined) {
  const frame = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => ({
    nativeElement: frame.current,
    // The input is marked as invalid only in the next frame, after the form has shown the error.
    focus: () =>
      requestAnimationFrame(() => {
        const first = frame.current?.querySelector<HTMLElement>('[aria-invalid=true]')
        if (first) first.focus()
        else frame.current?.scrollIntoView({ block: 'end' })
      }),
  }))
  return frame
}
type Checked<P> = P & { ref?: Ref<Focused> }
const CheckedType = ({ ref, ...props }: Checked<ComponentProps<typeof TypeField>>) => (
  <div ref={useFirstWrong(ref)}>
    <TypeField {...props} wrong={useWrong(DataType, props.value)} />
  </div>
)
const CheckedParams = ({ ref, ...props }: Checked<ComponentProps<typeof ParamsField>>) => (
  <div ref={useFirstWrong(ref)}>
    <ParamsField {...props} wrong={useWrong(params, props.value)} />
  </div>
)
/** The form item would otherwise mark all of its inputs as invalid. */
const notAll = { validateStatus: '' } as const

/** A published product keeps this function, so parts of it are locked. */
type Kept = { kept?: ThingFunction }
const stays = (what: string) => `产品已发布，${what}不能再改`

/** Edits the data type of a property and previews its control. */
export function PropertyFields({ values, kept }: Kept & { values?: FunctionDraft }) {
  const property = values?.kind === 'properties' && asProperty(values)
  return (
    <FormGroup title="数据">
      <Form.Item
        name="dataType"
        label="数据类型"
        required
        rules={[check(DataType)]}
        {...notAll}
        extra={kept && stays('已有的类型')}
        style={wholeLine}
      >
        <CheckedType kept={kept?.kind === 'properties' ? kept.dataType : undefined} />
      </Form.Item>
      <Form.Item label="控件预览" style={wholeLine}>
        {property ? <ControlPreview key={JSON.stringify(property.dataType)} {...property} /> : '—'}
      </Form.Item>
      <SwitchItem of={Property} name="isHistory" />
      <SwitchItem of={Property} name="isMonitor" />
    </FormGroup>
  )
}

/** Edits the input of a service, and the output of a service or event. */
export function ParameterFields({ kind, kept }: Kept & { kind: FunctionDraft['kind'] }) {
  const input = kept?.kind === 'services' ? kept.inputData : []
  const output = kept && kept.kind !== 'properties' ? kept.outputData : []
  return (
    <FormGroup title="参数">
      {kind === 'services' && (
        <Form.Item
          name="inputData"
          label="输入参数"
          rules={[check(params)]}
          {...notAll}
          extra={input.length > 0 && stays('已有参数的标识符和类型')}
          style={wholeLine}
        >
          <CheckedParams word="输入参数" kept={input} />
        </Form.Item>
      )}
      <Form.Item
        name="outputData"
        label="输出参数"
        rules={[check(params)]}
        {...notAll}
        extra={output.length > 0 && stays('已有参数的标识符和类型')}
        style={wholeLine}
      >
        <CheckedParams word="输出参数" kept={output} />
      </Form.Item>
    </FormGroup>
  )
}

/** Returns the typed property as soon as it is complete enough for a preview. */
function asProperty({ dataType, accessMode, name }: FunctionDraft) {
  const { data } = Property.pick({ accessMode: true, dataType: true }).safeParse({
    dataType,
    accessMode,
  })
  return data && ({ ...data, name } as Property)
}
