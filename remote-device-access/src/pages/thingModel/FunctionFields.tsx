import Form from 'antd/es/form'
import { useImperativeHandle, useRef, type ComponentProps, type Ref } from 'react'
import type { ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import { getPathTitle } from '@iot/shared/contract/thingModel/parseModel'
import { DataType, Param, Property } from '@iot/shared/contract/thingModel/thingModel.schema'
import { FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { SwitchItem } from '@iot/shared/ui/items'
import { ControlPreview } from './ControlPreview'
import { ParamsField } from './ParamsField'
import { TypeField } from './TypeField'
import type { FunctionDraft } from './useSendFunction'

const paramList = Param.array()
/** Validates a data type or a parameter list and names the location of the first error. */
const createRule = (schema: typeof DataType | typeof paramList) => ({
  validator: async (_: unknown, value: unknown) => {
    const { error } = schema.safeParse(value)
    const issue = error?.issues[0]
    if (!issue) return
    const itemIndex = issue.path.find((part) => typeof part === 'number')
    const itemPrefix = itemIndex === undefined ? '' : `第 ${Number(itemIndex) + 1} 项的`
    const field = getPathTitle(issue.path)
    // Most messages already name their field, so the name is added only if it is missing.
    const fullMessage = issue.message.includes(field) ? issue.message : `${field}：${issue.message}`
    throw new Error(itemPrefix + fullMessage)
  },
})

/** Returns the first error once the form shows it, so that the affected input can be marked. */
const useFirstIssue = (schema: Parameters<typeof createRule>[0], value: unknown) =>
  Form.Item.useStatus().errors.length > 0 ? schema.safeParse(value).error?.issues[0] : undefined

type FocusableField = { nativeElement: HTMLElement | null; focus: () => void }
/** Lets the form focus the first invalid input of a composite field. */
function useFocusFirstInvalid(ref: Ref<FocusableField> | undefined) {
  const frameRef = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => ({
    nativeElement: frameRef.current,
    // The input is marked as invalid only in the next frame, after the form has shown the error.
    focus: () =>
      requestAnimationFrame(() => {
        const firstInvalidInput =
          frameRef.current?.querySelector<HTMLElement>('[aria-invalid=true]')
        if (firstInvalidInput) firstInvalidInput.focus()
        else frameRef.current?.scrollIntoView({ block: 'end' })
      }),
  }))
  return frameRef
}
type WithFieldRef<P> = P & { ref?: Ref<FocusableField> }
const ValidatedTypeField = ({ ref, ...props }: WithFieldRef<ComponentProps<typeof TypeField>>) => (
  <div ref={useFocusFirstInvalid(ref)}>
    <TypeField {...props} typeIssue={useFirstIssue(DataType, props.value)} />
  </div>
)
const ValidatedParamsField = ({
  ref,
  ...props
}: WithFieldRef<ComponentProps<typeof ParamsField>>) => (
  <div ref={useFocusFirstInvalid(ref)}>
    <ParamsField {...props} paramIssue={useFirstIssue(paramList, props.value)} />
  </div>
)
/** The form item would otherwise mark all of its inputs as invalid. */
const noItemStatus = { validateStatus: '' } as const

/** A published product keeps this function, so parts of it are locked. */
type LockedProps = { lockedFunction?: ThingFunction }
const explainLocked = (lockedPart: string) => `产品已发布，${lockedPart}不能再改`

/** Edits the data type of a property and previews its control. */
export function PropertyFields({
  values,
  lockedFunction,
}: LockedProps & { values?: FunctionDraft }) {
  const property = values?.kind === 'properties' && parseProperty(values)
  return (
    <FormGroup title="数据">
      <Form.Item
        name="dataType"
        label="数据类型"
        required
        rules={[createRule(DataType)]}
        {...noItemStatus}
        extra={lockedFunction && explainLocked('已有的类型')}
        style={fullRowStyle}
      >
        <ValidatedTypeField
          lockedType={lockedFunction?.kind === 'properties' ? lockedFunction.dataType : undefined}
        />
      </Form.Item>
      <Form.Item label="控件预览" style={fullRowStyle}>
        {property ? <ControlPreview key={JSON.stringify(property.dataType)} {...property} /> : '—'}
      </Form.Item>
      <SwitchItem of={Property} name="isHistory" />
      <SwitchItem of={Property} name="isMonitor" />
    </FormGroup>
  )
}

/** Edits the input of a service, and the output of a service or event. */
export function ParameterFields({
  kind,
  lockedFunction,
}: LockedProps & { kind: FunctionDraft['kind'] }) {
  const lockedInput = lockedFunction?.kind === 'services' ? lockedFunction.inputData : []
  const lockedOutput =
    lockedFunction && lockedFunction.kind !== 'properties' ? lockedFunction.outputData : []
  return (
    <FormGroup title="参数">
      {kind === 'services' && (
        <Form.Item
          name="inputData"
          label="输入参数"
          rules={[createRule(paramList)]}
          {...noItemStatus}
          extra={lockedInput.length > 0 && explainLocked('已有参数的标识符和类型')}
          style={fullRowStyle}
        >
          <ValidatedParamsField entryLabel="输入参数" lockedParams={lockedInput} />
        </Form.Item>
      )}
      <Form.Item
        name="outputData"
        label="输出参数"
        rules={[createRule(paramList)]}
        {...noItemStatus}
        extra={lockedOutput.length > 0 && explainLocked('已有参数的标识符和类型')}
        style={fullRowStyle}
      >
        <ValidatedParamsField entryLabel="输出参数" lockedParams={lockedOutput} />
      </Form.Item>
    </FormGroup>
  )
}

/** Returns the typed property as soon as it is complete enough for a preview. */
function parseProperty({ dataType, accessMode, name }: FunctionDraft) {
  const { data } = Property.pick({ accessMode: true, dataType: true }).safeParse({
    dataType,
    accessMode,
  })
  return data && ({ ...data, name } as Property)
}
