import asyncio
import os
import random

from fairdeal import Client


async def main() -> None:
    async with Client(os.environ.get("FAIRDEAL_REDIS_URL", "redis://127.0.0.1:6379")) as client:
        created = await client.create("perudo", ["ann", "bot:odds", "bot:random"])
        async for view in client.watch(created.game, 0):  # what seat 0 sees, and nothing else
            if view.outcome:
                print("places by seat:", view.outcome.places)
            elif 0 in view.to_act:
                move = random.choice(view.offers).sample(random)  # every offered move is legal
                await client.act(created.game, 0, move, expect=view.version)
        async for frame in client.replay(created.game, "table"):
            print(frame.version, [type(event).__name__ for event in frame.events])


asyncio.run(main())
