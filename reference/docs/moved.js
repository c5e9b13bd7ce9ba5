// A classic script in the head of the first page. The reference of the animals was all of /docs once, and links to its
// sections, such as /docs/#createPet, are in many places. A fragment never reaches the server.
if (location.hash.length > 1 && location.hash !== '#content') location.replace(`/docs/animals/${location.hash}`)
