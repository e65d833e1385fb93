import Form from 'antd/es/form'
import Input from 'antd/es/input'
import Radio from 'antd/es/radio'
import Switch from 'antd/es/switch'
import type { FormItemProps } from 'antd'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { notesMax } from '../contract/fields'
import type { NamesById } from '../contract/options'
import { getFieldTitle } from '../contract/fieldTitle'
import { CreatableSelect, type CreateOption } from './creatableSelect'
import { field } from './field'
import { NumberInput } from './numberInput'
import { statusOptions } from './status'
import { buildSelectProps } from './useListed'
import { Select } from './select'

type ItemProps<S extends z.ZodRawShape> = Omit<FormItemProps, 'children' | 'name'> & {
  of: z.ZodObject<S>
  name: keyof S & string
  /** Server check of the value, see `field`. */
  check?: Parameters<typeof field>[2]
}

function Item<S extends z.ZodRawShape>({
  of: schema,
  name,
  check,
  children,
  ...rest
}: ItemProps<S> & { children: ReactNode }) {
  return (
    <Form.Item {...field(schema, name, check)} {...rest}>
      {children}
    </Form.Item>
  )
}

type TextItemProps = { autoFocus?: boolean; disabled?: boolean; placeholder?: string }

/**
 * A line of text; a text that is too long is reported and not cut. All other properties go to the form item.
 * @example <TextItem of={BrandDraft} name="name" autoFocus />
 */
export const TextItem = <S extends z.ZodRawShape>({
  autoFocus,
  disabled,
  placeholder,
  ...item
}: ItemProps<S> & TextItemProps) => (
  <Item {...item}>
    <Input {...{ autoFocus, disabled, placeholder }} />
  </Item>
)

/** A text of several lines, up to `notesMax` characters. */
export const NotesItem = <S extends z.ZodRawShape>(item: ItemProps<S>) => (
  <Item {...item}>
    <Input.TextArea rows={2} count={{ show: true, max: notesMax }} />
  </Item>
)

type NumberItemProps = { suffix?: string; placeholder?: string }

/** A number; the rule of the contract reports limits and fractions. */
export const NumberItem = <S extends z.ZodRawShape>({
  suffix,
  placeholder,
  ...item
}: ItemProps<S> & NumberItemProps) => (
  <Item {...item}>
    <NumberInput {...{ suffix, placeholder }} style={{ width: '100%' }} />
  </Item>
)

/** Position within a list, counted from 1. */
export const SortItem = <S extends z.ZodRawShape>(item: ItemProps<S>) => <NumberItem {...item} />

type RadioItemProps = {
  options: { value: string | boolean; label: string; disabled?: boolean }[]
  optionType?: 'button'
  disabled?: boolean
}

export const RadioItem = <S extends z.ZodRawShape>({
  options,
  optionType,
  disabled,
  ...item
}: ItemProps<S> & RadioItemProps) => (
  <Item {...item}>
    <Radio.Group {...{ options, optionType, disabled }} />
  </Item>
)

/** Offers 启用 and 停用 as a radio group. */
export const StatusItem = <S extends z.ZodRawShape>(item: ItemProps<S>) => (
  <RadioItem {...item} options={statusOptions} />
)

export const SwitchItem = <S extends z.ZodRawShape>({
  disabled,
  ...item
}: ItemProps<S> & { disabled?: boolean }) => (
  <Item valuePropName="checked" {...item}>
    <Switch disabled={disabled} />
  </Item>
)

type ChoiceItemProps = {
  /** Options; undefined while they load, which the popup shows. */
  options: { value: string | number; label: string; disabled?: boolean }[] | undefined
  mode?: 'multiple'
  allowClear?: boolean
  disabled?: boolean
  /** The default is 请选择 with the title of the field. */
  placeholder?: string
  /** Names of the chosen values until the options have loaded. */
  known?: NamesById
  /** Text shown if there are no options. */
  none?: ReactNode
  /** Offers to create a missing option in place; users without the permission get none. */
  create?: CreateOption
}

/**
 * A select for one or several values; a cleared field is null.
 * @example <ChoiceItem of={BrandDraft} name="manufacturerId" options={toRowOptions(manufacturers)} />
 */
export const ChoiceItem = <S extends z.ZodRawShape>({
  options,
  mode,
  allowClear,
  disabled,
  placeholder,
  known: knownNames,
  none: emptyText,
  create,
  ...item
}: ItemProps<S> & ChoiceItemProps) => {
  const selectProps = {
    showSearch: { optionFilterProp: 'label' },
    maxTagCount: 'responsive' as const,
    placeholder: placeholder ?? `请选择${getFieldTitle(item.of, item.name)}`,
    mode,
    allowClear,
    disabled,
    ...buildSelectProps(options, knownNames),
    ...(emptyText && options?.length === 0 && { notFoundContent: emptyText }),
  }
  return (
    <Item
      normalize={(value: unknown) => value ?? null}
      // An empty value shows the placeholder.
      getValueProps={(value: unknown) => ({ value: value === '' ? undefined : value })}
      {...item}
    >
      {create ? <CreatableSelect {...selectProps} create={create} /> : <Select {...selectProps} />}
    </Item>
  )
}
