import { NativeSelect } from '@mantine/core'
import type { Member } from '../../api/members.ts'
import { useAccount } from '../../api/session.ts'

interface KeysFateProps {
  member: Member
  members: readonly Member[]
  /** Those of the member that work now. */
  made: readonly { name: string }[]
  noun: 'keys' | 'keys and tokens'
  /** Null: they end. */
  keysTo: string | null
  choose: (keysTo: string | null) => void
}

/** What becomes of what somebody has made who may no longer make it. */
export function KeysFate({ member, members, made, noun, keysTo, choose }: KeysFateProps) {
  const account = useAccount()
  if (made.length === 0) return null
  return (
    <NativeSelect
      label={`What becomes of ${member.id === account.id ? `your ${noun}` : `the ${noun} of ${member.name}`}?`}
      description={`${namesText(made)}: whatever uses one that ends is refused from its next request on.`}
      data={[
        { value: END, label: 'They end now' },
        ...members
          .filter(({ id, role }) => id !== member.id && role !== 'viewer')
          .map(({ id, name, email }) => ({
            value: id,
            label: id === account.id ? 'I take them over' : `${name} (${email}) takes them over`,
          })),
      ]}
      value={keysTo ?? END}
      onChange={({ currentTarget: { value } }) => choose(value === END ? null : value)}
    />
  )
}

const END = 'end'

const namesText = (made: readonly { name: string }[]) =>
  made.length > 3 ? `${made.length} of them` : made.map(({ name }) => `“${name}”`).join(', ')
