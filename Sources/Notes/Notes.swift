// Notes
