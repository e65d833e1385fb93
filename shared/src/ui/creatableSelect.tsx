import PlusOutlined from '@ant-design/icons/PlusOutlined'
import Button from 'antd/es/button'
import Divider from 'antd/es/divider'
import type { SelectProps } from 'antd'
import { useState, type ReactNode } from 'react'
import { Select } from './select'

/** A way to create a missing option without leaving the form. */
export type CreateOption = {
  /** Text of the button below the options: 新建厂商. */
  label: string
  /** Renders the form of the new row over the present one, which keeps its input. */
  render: (handlers: { onSaved: (row: unknown) => void; onClose: () => void }) => ReactNode
  /** Returns the value of the new row once the options contain it. */
  select: (row: unknown) => Promise<string>
}

type CreatableSelectProps = Pick<
  SelectProps,
  'value' | 'onChange' | 'id' | 'options' | 'labelRender' | 'notFoundContent' | 'showSearch'
> &
  Pick<SelectProps, 'mode' | 'allowClear' | 'disabled' | 'placeholder' | 'maxTagCount'> & {
    create: CreateOption
  }

/** A select whose popup ends with a button that creates a missing option; the new option is then selected. */
export function CreatableSelect({ create, onChange, ...select }: CreatableSelectProps) {
  const [isOpen, setOpen] = useState(false)
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <Select
        {...select}
        onChange={onChange}
        open={isOpen}
        onOpenChange={setOpen}
        popupRender={(options) => (
          <>
            {options}
            <Divider style={{ margin: '4px 0' }} />
            <Button
              type="link"
              size="small"
              icon={<PlusOutlined />}
              onClick={() => {
                setOpen(false)
                setCreating(true)
              }}
            >
              {create.label}
            </Button>
          </>
        )}
      />
      {isCreating &&
        create.render({
          // The change goes through the field, so that fields that depend on it follow.
          onSaved: (row) => void create.select(row).then((value) => onChange?.(value)),
          onClose: () => setCreating(false),
        })}
    </>
  )
}
