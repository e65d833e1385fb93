import { Form, Radio } from 'antd'
import { functionsOf, type ThingFunction } from '@iot/shared/contract/modelDifference'
import { optionsOf } from '@iot/shared/contract/options'
import { DataType, Param, Property, Service, ThingEvent } from '@iot/shared/contract/thingModel'
import {
  accessText,
  callText,
  eventText,
  kindText,
  paramWords,
  typeWords,
} from '@iot/shared/contract/thingText'
import { FormDialog, FormGroup, wholeLine } from '@iot/shared/ui/formDialog'
import { NotesItem, RadioItem, SwitchItem, TextItem } from '@iot/shared/ui/items'
import type { Editing } from './editing'
import { ParameterFields, PropertyFields } from './FunctionFields'
import { schemas, useSendFunction, type FunctionDraft } from './useSendFunction'

const blank = {
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
  editing: Editing
  /** A new function passes nothing here; a copy has no identifier. */
  given?: ThingFunction
  isNew: boolean
  onClose: () => void
  onSaved: () => void
  take: (carrier: Editing['carrier']) => void
}

export default function FunctionForm({ editing, given, isNew, take, ...on }: FunctionFormProps) {
  const { carrier, locked, refusal } = editing
  const [form] = Form.useForm<FunctionDraft>()
  const values = Form.useWatch([], { form, preserve: true }) as FunctionDraft | undefined
  const kind = values?.kind ?? given?.kind ?? 'properties'
  const schema = schemas[kind]
  const former = isNew ? undefined : given
  const sendFunction = useSendFunction(editing, former)
  const kept = former && locked.has(former.identifier) ? former : undefined
  const stored = { id: former?.identifier ?? 'new', version: carrier.version }
  const initial: FunctionDraft & Partial<typeof stored> = {
    ...blank,
    ...given,
    ...(former && stored),
  }

  const isFree = async (identifier: string) =>
    identifier !== former?.identifier &&
    functionsOf(carrier.model).some((one) => one.identifier === identifier)
      ? `标识符 ${identifier} 已被使用`
      : undefined

  return (
    <FormDialog<FunctionDraft>
      title={former ? `编辑${kindText[kind]}` : '新建功能'}
      schema={schema}
      initial={initial}
      unless={refusal}
      send={async (draft) => {
        take(await sendFunction(draft))
        // The form must know only this function as saved, not the whole category or product.
        return draft
      }}
      show={(name, value) =>
        name === 'dataType'
          ? typeWords(value as DataType)
          : /Data$/.test(name) && paramWords(value as Param[])
      }
      form={form}
      wide
      {...on}
    >
      <FormGroup title="基本信息">
        <Form.Item name="kind" label="功能类型" style={wholeLine} required>
          <Radio.Group
            options={optionsOf(kindText)}
            optionType="button"
            disabled={former !== undefined}
          />
        </Form.Item>
        <TextItem of={schema} name="name" autoFocus />
        <TextItem of={schema} name="identifier" check={isFree} disabled={kept !== undefined} />
        {kind === 'properties' && (
          <RadioItem of={Property} name="accessMode" options={optionsOf(accessText)} />
        )}
        {kind === 'services' && (
          <RadioItem of={Service} name="callType" options={optionsOf(callText)} />
        )}
        {kind === 'events' && (
          <RadioItem of={ThingEvent} name="type" options={optionsOf(eventText)} />
        )}
        <SwitchItem of={schema} name="required" />
      </FormGroup>
      {kind === 'properties' ? (
        <PropertyFields values={values} kept={kept} />
      ) : (
        <ParameterFields kind={kind} kept={kept} />
      )}
      <FormGroup title="其他">
        <NotesItem of={schema} name="desc" style={wholeLine} />
      </FormGroup>
    </FormDialog>
  )
}
