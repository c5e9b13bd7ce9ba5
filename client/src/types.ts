// Written by scripts/client-types.ts from openapi.json: change the contract, not this file.

/** A 64-bit integer: a `number` where a number holds it exactly, a `bigint` beyond 2^53. */
export type Int64 = number | bigint

export const SERVERS = {
  production: 'https://api.petstore.example/v1',
  staging: 'https://staging.petstore.example/v1',
} as const

/** Every error response has exactly these fields. */
export interface ErrorBody {
  /** Machine-readable error code. */
  code: 'invalid_request' | 'unauthorized' | 'plan_required' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'conflict' | 'gone' | 'precondition_failed' | 'payload_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'misdirected_request' | 'idempotency_mismatch' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'unavailable'
  /** Human-readable description. */
  message: string
  /** The HTTP status code. */
  status: number
}

/** An order to place. */
export interface NewOrder {
  /** Identifier of an available animal. */
  petId: Int64
}

/** An animal to add. Without a status it is available. */
export interface NewPet {
  /** The animal's name: not only white space, no control characters; kept exactly as sent. */
  name: string
  /** Identifier of the category the animal belongs to. */
  categoryId: Int64
  status?: PetStatus
}

/** An order for one animal. */
export interface Order {
  /** Unique identifier assigned when the order was placed. */
  id: Int64
  /** Identifier of the animal that was ordered. */
  petId: Int64
  status: OrderStatus
  /** When the order was placed. */
  placedAt: string
  /** When the order was completed or cancelled; absent while it is open. */
  endedAt?: string
}

/** The end of an order. */
export interface OrderPatch {
  /** How the order ends. */
  status: 'completed' | 'cancelled'
}

/** Orders in ascending order of their ids, or in descending order where `order` is `newest`. */
export type Orders = Order[]

/** Where the order stands: a placed order holds its animal. */
export type OrderStatus = 'placed' | 'completed' | 'cancelled'

/** An animal. */
export interface Pet {
  /** Unique identifier assigned on creation. */
  id: Int64
  /** The animal's name: not only white space, no control characters; kept exactly as sent. */
  name: string
  /** Identifier of the category the animal belongs to. */
  categoryId: Int64
  status: PetStatus
}

/** The fields to change; the others stay as they are. */
export interface PetPatch {
  /** The animal's name: not only white space, no control characters; kept exactly as sent. */
  name?: string
  /** Identifier of the category the animal belongs to. */
  categoryId?: Int64
  status?: PetStatus
}

/** Animals in ascending order of their ids, unless `order` or `q` asked for another. */
export type Pets = Pet[]

/** Availability status of an animal. */
export type PetStatus = 'available' | 'pending' | 'sold'
