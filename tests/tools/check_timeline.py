"""Reads a timeline (isosan trace convert -o x.json) as a viewer does: slices of a track nest and are all ended."""
import json
import sys

with open(sys.argv[1]) as file:
    events = json.load(file)["traceEvents"]
tracks, slices, last = {}, 0, -1
for event in events:
    track = tracks.setdefault(event["tid"], [])
    if event["ph"] == "M":
        assert event["args"]["name"] and not track, event
        continue
    assert event["ts"] >= last, event
    last = event["ts"]
    if event["ph"] == "B":
        assert event["name"], event
        track.append(event["name"])
        slices += 1
    elif event["ph"] == "E":
        track.pop()
assert not any(tracks.values())
print(f"{len(tracks)} tracks, {sum(event['ph'] != 'M' for event in events)} events, {slices} slices")
