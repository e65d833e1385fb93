import Form from 'antd/es/form'
import Radio from 'antd/es/radio'
import { listFunctions, type ThingFunction } from '@iot/shared/contract/thingModel/modelDifference'
import { toTextOptions } from '@iot/shared/contract/options'
import {
  DataType,
  Param,
  Property,
  Service,
  ThingEvent,
} from '@iot/shared/contract/thingModel/thingModel.schema'
import {
  accessText,
  callText,
  eventText,
  kindText,
  describeParams,
  describeType,
} from '@iot/shared/contract/thingModel/thingText'
import { FormDialog, FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { NotesItem, RadioItem, SwitchItem, TextItem } from '@iot/shared/ui/items'
import type { ModelEditing } from './modelEditing'
import { ParameterFields, PropertyFields } from './FunctionFields'
import { schemas, useSendFunction, type FunctionDraft } from './useSendFunction'

const blankFunction = {
  kind: 'properties',
  identifier: '',
  name: '',
  required: false,
  desc: '',
  accessMode: 'rw',
  dataType: { type: 'int', specs: {} },
  isHistory: true,
  isMonitor: true,
  callType: 'async',
  type: 'info',
  inputData: [],
  outputData: [],
} satisfies FunctionDraft

type FunctionFormProps = {
  editing: ModelEditing
  /** A new function passes nothing here; a copy has no identifier. */
  given?: ThingFunction
  isNew: boolean
  onClose: () => void
  onSaved: () => void
  take: (carrier: ModelEditing['carrier']) => void
}

export default function FunctionForm({
  editing,
  given: initialFunction,
  isNew,
  take,
  ...handlers
}: FunctionFormProps) {
  const { carrier, locked, refusal } = editing
  const [form] = Form.useForm<FunctionDraft>()
  const values = Form.useWatch([], { form, preserve: true }) as FunctionDraft | undefined
  const kind = values?.kind ?? initialFunction?.kind ?? 'properties'
  const schema = schemas[kind]
  const editedFunction = isNew ? undefined : initialFunction
  const sendFunction = useSendFunction(editing, editedFunction)
  const lockedOriginal =
    editedFunction && locked.has(editedFunction.identifier) ? editedFunction : undefined
  const storedRevision = { id: editedFunction?.identifier ?? 'new', version: carrier.version }
  const initial: FunctionDraft & Partial<typeof storedRevision> = {
    ...blankFunction,
    ...initialFunction,
    ...(editedFunction && storedRevision),
  }

  const checkIdentifierIsFree = async (identifier: string) =>
    identifier !== editedFunction?.identifier &&
    listFunctions(carrier.model).some((thingFunction) => thingFunction.identifier === identifier)
      ? `标识符 ${identifier} 已被使用`
      : undefined

  return (
    <FormDialog<FunctionDraft>
      title={editedFunction ? `编辑${kindText[kind]}` : '新建功能'}
      schema={schema}
      initial={initial}
      draft={`function/${carrier.id}${isNew && initialFunction ? '/copy' : ''}`}
      unless={refusal}
      send={async (draft) => {
        take(await sendFunction(draft))
        // The form must know only this function as saved, not the whole category or product.
        return draft
      }}
      show={(name, value) =>
        name === 'dataType'
          ? describeType(value as DataType)
          : /Data$/.test(name) && describeParams(value as Param[])
      }
      form={form}
      wide
      {...handlers}
    >
      <FormGroup title="基本信息">
        <Form.Item name="kind" label="功能类型" style={fullRowStyle} required>
          <Radio.Group
            options={toTextOptions(kindText)}
            optionType="button"
            disabled={editedFunction !== undefined}
          />
        </Form.Item>
        <TextItem of={schema} name="name" autoFocus />
        <TextItem
          of={schema}
          name="identifier"
          check={checkIdentifierIsFree}
          disabled={lockedOriginal !== undefined}
        />
        {kind === 'properties' && (
          <RadioItem of={Property} name="accessMode" options={toTextOptions(accessText)} />
        )}
        {kind === 'services' && (
          <RadioItem of={Service} name="callType" options={toTextOptions(callText)} />
        )}
        {kind === 'events' && (
          <RadioItem of={ThingEvent} name="type" options={toTextOptions(eventText)} />
        )}
        <SwitchItem of={schema} name="required" />
      </FormGroup>
      {kind === 'properties' ? (
        <PropertyFields values={values} lockedFunction={lockedOriginal} />
      ) : (
        <ParameterFields kind={kind} lockedFunction={lockedOriginal} />
      )}
      <FormGroup title="其他">
        <NotesItem of={schema} name="desc" style={fullRowStyle} />
      </FormGroup>
    </FormDialog>
  )
}
